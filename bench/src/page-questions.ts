import type { Ours } from './contenders.ts'
import type { LoadClient } from './load-client.ts'
import { type Question, toPath } from './questions.ts'

const ratioMax = 1.5
const deepPage = 1_000
const recordsPerPage = 100
/** Of the field that filters and the one that sorts. */
const indexCount = 2
/** So often is an index asked for before one is made. */
const timesAsked = 3

const isHalf = { fieldId: 'Number', operator: 'isGreaterEqual', value: 500 }
const isOneOfThousand = { fieldId: 'Number', operator: 'is', value: 707 }

/**
 * Pages of a table of stones with places, once the indexes are there that these ask for: the first page of what many have and of
 * what few have, and one far back, whose cursor is found page by page.
 */
export async function pageQuestions(
  ours: Ours,
  client: LoadClient,
  tableId: string,
): Promise<readonly Question[]> {
  const first = pageOf('first page, filtered and sorted, with an index', isHalf, '"Number" >= 500')
  const few = pageOf('the same of what one in 1,000 has', isOneOfThousand, '"Number" = 707')
  const get = <T>(question: Question) =>
    client.sendForJson<T>({ method: 'GET', path: toPath(question, tableId) })
  for (let n = 0; n < timesAsked; n++) await get(first)
  await ours.makeIndexes(tableId, indexCount)
  let cursor: string | undefined
  let after = { place: 0, number: 0 }
  for (let page = 1; page < deepPage; page++) {
    const { records, nextCursor } = await get<Page>(atCursor(first, cursor))
    const last = records.at(-1)
    cursor = nextCursor
    after = { place: last?.fields.Place ?? 0, number: last?.autoNumber ?? 0 }
  }
  // Records were made in the same order on both sides, so their numbers are the same.
  const deep = pageOf(
    `page ${deepPage} by cursor, with an index`,
    isHalf,
    '"Number" >= 500',
    ({ key }) => `("Place", ${key}) > (${after.place}, ${after.number})`,
  )
  return [first, few, atCursor(deep, cursor)]
}

interface Page {
  readonly nextCursor: string
  readonly records: readonly {
    readonly autoNumber: number
    readonly fields: { readonly Place: number }
  }[]
}

function atCursor(question: Question, cursor: string | undefined): Question {
  return { ...question, query: { ...question.query, ...(cursor !== undefined && { cursor }) } }
}

function pageOf(
  name: string,
  item: Readonly<Record<string, unknown>>,
  condition: string,
  isAfter: (table: { readonly key: string }) => string = () => 'true',
): Question {
  const filter = { conjunction: 'and', filterSet: [item] }
  const orderBy = [{ fieldId: 'Place', order: 'asc' }]
  return {
    name,
    path: 'table/{table}/record',
    query: { filter, orderBy, take: recordsPerPage },
    // Our index has empty cells first, as SQLite has of its own accord; PostgreSQL takes it for this order alone.
    sql: (table) => {
      const { name, key, isThere } = table
      const order = key === '_id' ? '' : ' nulls first'
      return `select * from ${name} where ${isThere} and ${condition} and ${isAfter(table)} order by "Place"${order}, ${key} limit ${recordsPerPage + 1}`
    },
    ratioMax,
  }
}
