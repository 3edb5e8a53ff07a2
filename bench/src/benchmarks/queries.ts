import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import { compareTimes } from '../compare-times.ts'
import { createHandwrittenTable, createTableOf } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import type { SampleRecord } from '../sample-table.ts'

const recordCount = 1_000_000
const words = ['amber', 'Basalt', 'copper', 'Dolomite', 'ember', 'Flint', 'garnet', 'Halite']

/** One question, as it is asked of us and as SQL by hand asks it. */
interface Question {
  readonly name: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly sql: (table: string) => string
  readonly ratioMax: number
}

const isLarge = { fieldId: 'Number', operator: 'isGreater', value: 900 }
const hasFlint = { fieldId: 'Name', operator: 'contains', value: 'flint 7' }
const filter = { conjunction: 'and', filterSet: [isLarge, hasFlint] }
const condition = `"Number" > 900 and lower("Name") like '%flint 7%'`

const questions: readonly Question[] = [
  {
    name: 'filtered and sorted, without an index',
    path: 'record',
    query: { filter, orderBy: [{ fieldId: 'Text', order: 'desc' }], take: 100 },
    sql: (table) =>
      `select * from ${table} where ${condition} order by lower("Text") desc, _id limit 101`,
    ratioMax: 1.3,
  },
  {
    name: 'sorted, all records',
    path: 'record',
    query: { orderBy: [{ fieldId: 'Number', order: 'desc' }], take: 100 },
    sql: (table) => `select * from ${table} order by "Number" desc, _id limit 101`,
    ratioMax: 1.3,
  },
  {
    name: 'row count, filtered',
    path: 'aggregation/row-count',
    query: { filter },
    sql: (table) => `select count(*) from ${table} where ${condition}`,
    ratioMax: 1.3,
  },
  {
    name: 'statistics of three fields',
    path: 'aggregation',
    query: { field: { sum: ['Number'], max: ['Number'], filled: ['Name', 'Text'] } },
    sql: (table) =>
      `select sum("Number"), max("Number"), count("Name"), count("Text"), count(*) from ${table}`,
    ratioMax: 1.3,
  },
]

/** Questions about a million records, each looking at all of them; by hand as one statement over HTTP. */
export const queries: Benchmark = {
  name: 'queries',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    say(`filling tables with ${recordCount} records`)
    const records = Array.from({ length: recordCount }, (_, n) => recordOf(n))
    const { tableId } = await createTableOf(ours, {
      name: 'Stones',
      fields: [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Text', type: 'singleLineText' },
        { name: 'Number', type: 'number' },
      ],
      records,
    })
    const columns = [
      { name: 'Name', type: 'text' },
      { name: 'Text', type: 'text' },
      { name: 'Number', type: 'real' },
    ] as const
    const table = await createHandwrittenTable(handwritten, columns, records)
    const toOurs = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections: 1 })
    const measurements: Measurement[] = []
    for (const { name, path, query, sql, ratioMax } of questions) {
      say(name)
      const body = JSON.stringify({ sql: sql(table) })
      const times = await inTurns(rounds, {
        ours: () =>
          timed(() =>
            toOurs.send({ method: 'GET', path: `/api/table/${tableId}/${path}?${toText(query)}` }),
          ),
        handwritten: () =>
          timed(() => toHandwritten.send({ method: 'POST', path: '/query', body })),
      })
      measurements.push(compareTimes(`${name}, of ${recordCount}`, times, ratioMax))
    }
    await Promise.all([toOurs.close(), toHandwritten.close()])
    return measurements
  },
}

function recordOf(n: number): SampleRecord {
  const place = (n * 7_919) % recordCount
  return {
    fields: {
      Name: `${words[n % words.length]} ${place}`,
      Text: `${words[place % words.length]} of ${n}`,
      Number: place % 1_000,
    },
  }
}

function toText(query: Readonly<Record<string, unknown>>): string {
  return Object.entries(query)
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return `${name}=${encodeURIComponent(text)}`
    })
    .join('&')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
