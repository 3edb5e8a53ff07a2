import { askByHand } from '../asked-by-hand.ts'
import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import { compareTimes } from '../compare-times.ts'
import { createHandwrittenTable, createTableOf } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import type { SampleRecord } from '../sample-table.ts'

const recordCount = 1_000_000
const words = ['amber', 'Basalt', 'copper', 'Dolomite', 'ember', 'Flint', 'garnet', 'Halite']

/** A table as SQL by hand asks it. */
interface SqlTable {
  readonly name: string
  /** The column that tells rows apart and orders them. */
  readonly key: string
  /** A condition that holds for all of its rows that count. */
  readonly isThere: string
}

/** One question, as it is asked of us and as SQL by hand asks it. */
interface Question {
  readonly name: string
  /** After `/api/`, with a place for the table's id. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly sql: (table: SqlTable) => string
  readonly ratioMax: number
}

const isLarge = { fieldId: 'Number', operator: 'isGreater', value: 900 }
const hasFlint = { fieldId: 'Name', operator: 'contains', value: 'flint 7' }
const filter = { conjunction: 'and', filterSet: [isLarge, hasFlint] }
const condition = `"Number" > 900 and lower("Name") like '%flint 7%'`

const questions: readonly Question[] = [
  {
    name: 'filtered and sorted, without an index',
    path: 'table/{table}/record',
    query: { filter, orderBy: [{ fieldId: 'Text', order: 'desc' }], take: 100 },
    sql: ({ name, key, isThere }) =>
      `select * from ${name} where ${isThere} and ${condition} order by lower("Text") desc, ${key} limit 101`,
    ratioMax: 1.3,
  },
  {
    name: 'sorted, all records',
    path: 'table/{table}/record',
    query: { orderBy: [{ fieldId: 'Number', order: 'desc' }], take: 100 },
    sql: ({ name, key, isThere }) =>
      `select * from ${name} where ${isThere} order by "Number" desc, ${key} limit 101`,
    ratioMax: 1.3,
  },
  {
    name: 'row count, filtered',
    path: 'table/{table}/aggregation/row-count',
    query: { filter },
    sql: ({ name, isThere }) => `select count(*) from ${name} where ${isThere} and ${condition}`,
    ratioMax: 1.3,
  },
  {
    name: 'statistics of three fields',
    path: 'table/{table}/aggregation',
    query: { field: { sum: ['Number'], max: ['Number'], filled: ['Name', 'Text'] } },
    sql: ({ name, isThere }) =>
      `select sum("Number"), max("Number"), count("Name"), count("Text"), count(*) from ${name} where ${isThere}`,
    ratioMax: 1.3,
  },
  {
    name: 'grouped count',
    path: 'table/{table}/aggregation/group-points',
    query: { groupBy: [{ fieldId: 'Number', order: 'asc' }] },
    sql: ({ name, isThere }) =>
      `select "Number", count(*) from ${name} where ${isThere} group by "Number" order by "Number"`,
    ratioMax: 1.3,
  },
  {
    name: 'search hit',
    path: 'table/{table}/record',
    query: { search: ['flint 77', '', true], take: 100 },
    sql: (table) => searchSql(table, 'flint 77'),
    ratioMax: 1.5,
  },
  {
    name: 'search miss',
    path: 'table/{table}/record',
    query: { search: ['flintstone', '', true], take: 100 },
    sql: (table) => searchSql(table, 'flintstone'),
    ratioMax: 1.5,
  },
]

/** By hand the rows of one query, as JSON. */
const toCsv: Question = {
  name: 'export to CSV',
  path: 'export/{table}',
  query: {},
  sql: ({ name, isThere }) => `select "Name", "Text", "Number" from ${name} where ${isThere}`,
  ratioMax: 2,
}

function searchSql({ name, key, isThere }: SqlTable, text: string): string {
  const isFound = ['Name', 'Text'].map((column) => `lower("${column}") like '%${text}%'`)
  return `select * from ${name} where ${isThere} and (${isFound.join(' or ')}) order by ${key} limit 101`
}

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
    const toBeside = new LoadClient({
      url: (await contenders.startBeside(ours)).url,
      connections: 1,
    })
    const ofOurs = {
      name: await ours.sqlNameOf(tableId),
      key: '__auto_number',
      isThere: '__deletion_id is null',
    }
    const lean = { name: table, key: '_id', isThere: 'true' }
    const measurements: Measurement[] = []
    for (const { name, path, query, sql, ratioMax } of [...questions, toCsv]) {
      say(name)
      const url = `/api/${path.replace('{table}', tableId)}?${toText(query)}`
      const question = {
        name: `${name}, of ${recordCount}`,
        request: { method: 'GET', path: url } as const,
        sqlOnOurs: sql(ofOurs),
        sqlOnLean: sql(lean),
        ratioMax,
      }
      measurements.push(
        ...(await askByHand({ toOurs, toBeside, toLean: toHandwritten }, question, rounds)),
      )
    }
    say('manual sort')
    measurements.push(await sortByHand({ toOurs, toHandwritten, tableId, table, rounds }))
    await Promise.all([toOurs, toBeside, toHandwritten].map((client) => client.close()))
    return measurements
  },
}

/** Freezes the order of a sort for all records; by hand that is a table of places. */
async function sortByHand(of: {
  readonly toOurs: LoadClient
  readonly toHandwritten: LoadClient
  readonly tableId: string
  readonly table: string
  readonly rounds: number
}): Promise<Measurement> {
  const { toOurs, toHandwritten, tableId, table, rounds } = of
  const listed = <T>(of: string) =>
    toOurs.sendForJson<readonly T[]>({ method: 'GET', path: `/api/table/${tableId}/${of}` })
  const [view] = await listed<{ readonly id: string }>('view')
  const fields = await listed<{ readonly id: string; readonly name: string }>('field')
  const fieldId = fields.find(({ name }) => name === 'Number')?.id
  const path = `/api/table/${tableId}/view/${view?.id}/manual-sort`
  const body = JSON.stringify({ sortObjs: [{ fieldId, order: 'asc' }] })
  const byNumber = `select _id, row_number() over (order by "Number", _id) as place from ${table}`
  const times = await inTurns(rounds, {
    ours: () => timed(() => toOurs.send({ method: 'PUT', path, body })),
    handwritten: () =>
      toHandwritten.timeTransaction([
        { sql: 'drop table if exists places' },
        { sql: `create table places as ${byNumber}` },
        { sql: 'create index places_place on places (place)' },
      ]),
  })
  return compareTimes(`manual sort of ${recordCount}`, times, 1.5)
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
