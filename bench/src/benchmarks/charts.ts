import { askByHand } from '../asked-by-hand.ts'
import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import { createHandwrittenTable, createTableOf } from '../filled-table.ts'
import { LoadClient } from '../load-client.ts'

const recordCount = 1_000_000
const kinds = ['amber', 'basalt', 'copper', 'dolomite', 'ember', 'flint', 'garnet', 'halite']

/** Charts of a million records, as a page asks for them; by hand as one statement over HTTP. */
export const charts: Benchmark = {
  name: 'charts',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    say(`filling tables with ${recordCount} records`)
    const records = Array.from({ length: recordCount }, (_, n) => ({
      fields: { Name: `Stone ${n}`, Kind: kinds[n % kinds.length], Number: (n * 7_919) % 1_000 },
    }))
    const hardness = kinds.map((Kind, n) => ({ fields: { Kind, Hardness: n } }))
    const choices = { choices: kinds.map((name) => ({ name })) }
    const kind = { name: 'Kind', type: 'singleSelect', options: choices } as const
    const { tableId: stonesId } = await createTableOf(ours, {
      name: 'Stones',
      fields: [{ name: 'Name', type: 'singleLineText' }, kind, { name: 'Number', type: 'number' }],
      records,
    })
    const { tableId: kindsId } = await createTableOf(ours, {
      name: 'Kinds',
      fields: [
        { name: 'Title', type: 'singleLineText' },
        kind,
        { name: 'Hardness', type: 'number' },
      ],
      records: hardness,
    })
    const text = (name: string) => ({ name, type: 'text' }) as const
    const real = (name: string) => ({ name, type: 'real' }) as const
    const columns = [text('Name'), text('Kind'), real('Number')]
    const stones = await createHandwrittenTable(handwritten, columns, records)
    const of = await createHandwrittenTable(handwritten, [text('Kind'), real('Hardness')], hardness)
    const idsOf = async (tableId: string) => {
      const fields = await ours.api.fields.listFields({ tableId })
      return (name: string) => fields.find((field) => field.name === name)?.id ?? ''
    }
    const [stone, one] = [await idsOf(stonesId), await idsOf(kindsId)]
    const number = { column: stone('Number'), type: 'field' }
    const statistics = ['sum', 'max'].map((statisticFunc) => ({ ...number, statisticFunc }))
    const join = { type: 'INNER JOIN', table: kindsId, on: [stone('Kind'), one('Kind')] }
    const measured = 'sum("Number"), max("Number")'
    const living = (name: string) => `(select * from ${name} where __deletion_id is null)`
    const tables = {
      sqlOnOurs: [living(await ours.sqlNameOf(stonesId)), living(await ours.sqlNameOf(kindsId))],
      sqlOnLean: [stones, of],
    } as const
    const questions = [
      {
        name: 'a chart by a select with two statistics',
        query: { groupBy: [{ column: stone('Kind'), type: 'field' }] },
        sql: ([stones]: readonly string[]) =>
          `select "Kind", ${measured} from ${stones} as s group by "Kind"`,
        ratioMax: 1.3,
      },
      {
        name: 'the same by a field of a table that is joined',
        query: { join: [join], groupBy: [{ column: one('Hardness'), type: 'field' }] },
        sql: ([stones, kinds]: readonly string[]) =>
          `select "Hardness", ${measured} from ${stones} as s join ${kinds} as k on k."Kind" = s."Kind" group by "Hardness"`,
        ratioMax: 5,
      },
    ]
    const toOurs = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections: 1 })
    const toBeside = new LoadClient({
      url: (await contenders.startBeside(ours)).url,
      connections: 1,
    })
    const measurements: Measurement[] = []
    for (const { name, query, sql, ratioMax } of questions) {
      say(name)
      const sent = JSON.stringify({ from: stonesId, ...query, aggregation: statistics })
      const path = `/api/base/${ours.baseId}/query?query=${encodeURIComponent(sent)}`
      const question = {
        name: `${name}, of ${recordCount}`,
        request: { method: 'GET', path } as const,
        sqlOnOurs: sql(tables.sqlOnOurs),
        sqlOnLean: sql(tables.sqlOnLean),
        ratioMax,
      }
      measurements.push(
        ...(await askByHand({ toOurs, toBeside, toLean: toHandwritten }, question, rounds)),
      )
    }
    await Promise.all([toOurs, toBeside, toHandwritten].map((client) => client.close()))
    return measurements
  },
}
