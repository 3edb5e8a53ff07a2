/** A table as SQL by hand asks it. */
export interface SqlTable {
  readonly name: string
  /** The column that tells rows apart and orders them. */
  readonly key: string
  /** A condition that holds for all of its rows that count. */
  readonly isThere: string
}

/** One question, as it is asked of us and as SQL by hand asks it. */
export interface Question {
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

/** Questions about stones for whose answers all of them are looked at. */
export const scans: readonly Question[] = [
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

/** All stones as a file; by hand the rows of one query, as JSON. */
export const toCsv: Question = {
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

/** The path of a question about a table of ours. */
export function toPath({ path, query }: Pick<Question, 'path' | 'query'>, tableId: string): string {
  return `/api/${path.replace('{table}', tableId)}?${toText(query)}`
}

function toText(query: Readonly<Record<string, unknown>>): string {
  return Object.entries(query)
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return `${name}=${encodeURIComponent(text)}`
    })
    .join('&')
}
