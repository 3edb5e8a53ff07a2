import type { Bench } from '../benchmark.ts'
import type { Ours } from '../contenders.ts'
import { createTableOf, type FilledTable } from '../filled-table.ts'
import type { LoadClient } from '../load-client.ts'
import { type CellPlace, requireCell } from '../require-cell.ts'
import type { NewField } from '../sample-table.ts'

const depth = 5
/** Records that a cascade computes. */
const cascadeRecords = 4_000
const repetitions = 40

/**
 * One record is edited, and 4,000 cells of records follow through five levels. Once in one table: 4,000
 * records look the edited one up, and have four formulas, each of the one before. Once in five tables of
 * 800 records: those of the first look the edited record up, those of the others a record of the table
 * before.
 */
export async function timeCascades(ours: Ours, client: LoadClient, say: Bench['say']) {
  say(`cascades over ${cascadeRecords} records`)
  return {
    '4k rows, depth-5 cascade of fields': await timeCascade(ours, client, cascadeOfFields),
    '4k rows, depth-5 cascade of tables': await timeCascade(ours, client, cascadeOfTables),
  }
}

/** What follows from an edit. */
interface Cascade {
  /** The cell that it arrives in last. */
  readonly last: CellPlace
  /** What that cell holds when the source holds the number. */
  lastValue(value: number): unknown
}

async function timeCascade(
  ours: Ours,
  client: LoadClient,
  makeFollowers: (ours: Ours, source: FilledTable) => Promise<Cascade>,
): Promise<readonly number[]> {
  const source = await createTableOf(ours, {
    name: 'Source',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Value', type: 'number' },
    ],
    records: [{ fields: { Name: 'Source', Value: 0 } }],
  })
  const { last, lastValue } = await makeFollowers(ours, source)
  const times: number[] = []
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    const value = repetition + 1
    times.push(
      await client.time({
        method: 'PATCH',
        path: `/api/table/${source.tableId}/record/${source.recordIds[0]}`,
        body: JSON.stringify({ record: { fields: { Value: value } } }),
      }),
    )
    await requireCell(ours, last, lastValue(value))
  }
  return times.slice(1)
}

async function cascadeOfFields(ours: Ours, source: FilledTable): Promise<Cascade> {
  const table = await createLinked(ours, source, cascadeRecords)
  const { tableId } = table
  for (let level = 2; level <= depth; level++) {
    const expression = `{${level === 2 ? 'Value' : `Level ${level - 1}`}} + 1`
    const field: NewField = { type: 'formula', name: `Level ${level}`, options: { expression } }
    await ours.api.fields.createField({ tableId, ...field })
  }
  const last = { tableId, recordId: table.recordIds.at(-1), fieldName: `Level ${depth}` }
  return { last, lastValue: (value) => value + depth - 1 }
}

async function cascadeOfTables(ours: Ours, source: FilledTable): Promise<Cascade> {
  let table = source
  for (let level = 1; level <= depth; level++) {
    table = await createLinked(ours, table, cascadeRecords / depth)
  }
  const last = { tableId: table.tableId, recordId: table.recordIds.at(-1), fieldName: 'Value' }
  return { last, lastValue: (value) => value }
}

/** A table whose records look the value of records of another table up: one each, or all the only one. */
async function createLinked(ours: Ours, to: FilledTable, records: number): Promise<FilledTable> {
  const { tableId: foreignTableId, recordIds } = to
  const table = await createTableOf(ours, {
    name: 'Linked',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Link', type: 'link', options: { relationship: 'manyOne', foreignTableId } },
    ],
    records: Array.from({ length: records }, (_, n) => ({
      fields: { Name: `Record ${n}`, Link: { id: recordIds[n % recordIds.length] } },
    })),
  })
  const { tableId } = table
  const [, link] = await ours.api.fields.listFields({ tableId })
  const value = await fieldCalled(ours, foreignTableId, 'Value')
  await ours.api.fields.createField({
    tableId,
    name: 'Value',
    type: 'number',
    isLookup: true,
    lookupOptions: { foreignTableId, linkFieldId: link?.id ?? '', lookupFieldId: value?.id ?? '' },
  })
  return table
}

async function fieldCalled({ api }: Ours, tableId: string, name: string) {
  return (await api.fields.listFields({ tableId })).find((field) => field.name === name)
}
