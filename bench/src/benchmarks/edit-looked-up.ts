import type { Bench, Benchmark } from '../benchmark.ts'
import { compareTimes } from '../compare-times.ts'
import type { Ours } from '../contenders.ts'
import { createHandwrittenTable, createTableOf } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { type CellPlace, requireCell } from '../require-cell.ts'

/** As many as the regions file of the airports has. */
const regionCount = 3_987
const ratioMax = 3

/**
 * A country is changed that all regions are linked to: each of them shows its name as the title of the
 * link, and its continent in a lookup. By hand the regions have two columns for that, beside the key of
 * the country.
 */
export const editLookedUp: Benchmark = {
  name: 'lookup',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    const tables = await makeTables(ours)
    const countries = await createHandwrittenTable(
      handwritten,
      [
        { name: 'Name', type: 'text' },
        { name: 'Continent', type: 'text' },
      ],
      [{ fields: countryOf(0) }],
    )
    const regions = await createHandwrittenTable(
      handwritten,
      [
        { name: 'Name', type: 'text' },
        { name: 'Country', type: 'integer' },
        { name: 'Country name', type: 'text' },
        { name: 'Continent', type: 'text' },
      ],
      regionNames().map((Name) => ({ fields: { Name, Country: 1 } })),
    )
    const toOurs = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections: 1 })
    const times = await inTurns(rounds, {
      ours: async (round) => {
        say(`round ${round} of ${rounds}`)
        const { countriesId, countryId, lastRegion } = tables
        const country = countryOf(round + 1)
        const path = `/api/table/${countriesId}/record/${countryId}`
        const body = JSON.stringify({ record: { fields: country } })
        const tookMs = await toOurs.time({ method: 'PATCH', path, body })
        const link = { id: countryId, title: country.Name }
        await requireCell(ours, { ...lastRegion, fieldName: 'Country' }, link)
        await requireCell(ours, { ...lastRegion, fieldName: 'Continent' }, country.Continent)
        return tookMs
      },
      handwritten: (round) => {
        const { Name, Continent } = countryOf(round + 1)
        const values = [Name, Continent]
        return toHandwritten.timeTransaction([
          {
            sql: `update ${countries} set "Name" = $1, "Continent" = $2 where _id = 1`,
            values,
          },
          {
            sql: `update ${regions} set "Country name" = $1, "Continent" = $2 where "Country" = 1`,
            values,
          },
        ])
      },
    })
    await Promise.all([toOurs.close(), toHandwritten.close()])
    return [compareTimes(`edit what ${regionCount} records look up`, times, ratioMax)]
  },
}

interface Tables {
  readonly countriesId: string
  readonly countryId: string
  readonly lastRegion: Omit<CellPlace, 'fieldName'>
}

async function makeTables(ours: Ours): Promise<Tables> {
  const countries = await createTableOf(ours, {
    name: 'Countries',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Continent', type: 'singleLineText' },
    ],
    records: [{ fields: countryOf(0) }],
  })
  const { tableId: foreignTableId } = countries
  const [id = ''] = countries.recordIds
  const regions = await createTableOf(ours, {
    name: 'Regions',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Country', type: 'link', options: { relationship: 'manyOne', foreignTableId } },
    ],
    records: regionNames().map((Name) => ({ fields: { Name, Country: { id } } })),
  })
  const [, continent] = await ours.api.fields.listFields({ tableId: foreignTableId })
  const [, link] = await ours.api.fields.listFields({ tableId: regions.tableId })
  await ours.api.fields.createField({
    tableId: regions.tableId,
    name: 'Continent',
    type: 'singleLineText',
    isLookup: true,
    lookupOptions: {
      foreignTableId,
      linkFieldId: link?.id ?? '',
      lookupFieldId: continent?.id ?? '',
    },
  })
  return {
    countriesId: foreignTableId,
    countryId: id,
    lastRegion: { tableId: regions.tableId, recordId: regions.recordIds.at(-1) },
  }
}

function regionNames(): readonly string[] {
  return Array.from({ length: regionCount }, (_, n) => `Region ${n}`)
}

/** The country as it is after so many changes. */
function countryOf(changes: number) {
  return { Name: `Country ${changes}`, Continent: `Continent ${changes}` }
}
