import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FoundRecord, RecordQuery } from '../../queries/record-query.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { Secrets } from '../../secrets.ts'
import type { ReadTx } from '../../store.ts'
import type { PickInput } from '../query/find-picked.ts'
import { asksForAll, type QueryInput, type ViewQuery } from '../query/to-record-query.ts'
import type { RecordSource } from '../showing/show-within.ts'
import { fromCursor, toCursor } from './cursor.ts'
import { findInOrder } from './find-in-order.ts'
import { findPage } from './find-page.ts'
import { placeAfterRenumbering } from './place-after-renumbering.ts'
import { fromQueryCursor, toQueryCursor } from './query-cursor.ts'
import { recordsReadAhead } from './read-ahead.ts'
import { readFound } from './read-found.ts'

/** Which part of what a query finds is asked for. */
interface PageInput extends QueryInput, PickInput {
  readonly collapsedGroupIds?: readonly string[] | undefined
  readonly cursor?: string | undefined
  readonly skip: number
  readonly take: number
}

/** A query, and the view that takes part in it. */
interface PageQuery extends RecordQuery {
  readonly view?: ViewQuery | undefined
  /** In which order the records are shown, by their ids, where that isn't the order of the query. */
  readonly inOrder?: readonly string[] | undefined
}

interface PageContext {
  readonly tx: ReadTx
  readonly secrets: Secrets
}

/** The records of a page, and what leads on from one of them. One more than asked for, where there is one. */
interface RecordPage {
  readonly source: RecordSource
  /** The cursor of what follows the record at the place among those that were read. */
  cursorAt(index: number): string
}

/** Reads the page of a query, as far as it is asked for its records. */
export function readPageOf(
  context: PageContext,
  schema: TableSchema,
  query: PageQuery,
  input: PageInput,
): Promise<RecordPage> {
  if (query.inOrder) return readPicked(context, schema, query, query.inOrder, input)
  return asksForAll(query)
    ? readAll(context, schema, input)
    : readMatching(context, schema, query, input)
}

async function readAll(
  { tx, secrets }: PageContext,
  schema: TableSchema,
  { cursor, skip, take }: PageInput,
): Promise<RecordPage> {
  const { tableId } = schema
  const after = cursor === undefined ? 0 : fromCursor(secrets, tableId, cursor)
  const numbers: number[] = []
  async function* read(): RecordSource {
    let length: number = limits.recordsLength
    while (numbers.length <= take) {
      const isFirst = numbers.length === 0
      const asked = Math.min(take + 1 - numbers.length, recordsReadAhead(schema))
      const atOnce = Math.min(length, limits.recordsLengthInOneTurn)
      const { records, size, isCut } = await tx.records.page(schema, {
        after: numbers.at(-1) ?? after,
        skip: isFirst ? skip : 0,
        take: asked,
        length: atOnce,
      })
      // The first one is there however long it is.
      if (size > length && !isFirst) return true
      for (const { autoNumber } of records) numbers.push(autoNumber)
      yield records
      if (isCut ? size >= length || atOnce === length : records.length < asked) return isCut
      length -= size
    }
    return false
  }
  return {
    source: read(),
    cursorAt: (index) => toCursor(secrets, tableId, numbers[index] ?? 0),
  }
}

async function readMatching(
  { tx, secrets }: PageContext,
  schema: TableSchema,
  query: PageQuery,
  input: PageInput,
): Promise<RecordPage> {
  const { cursor, skip, take } = input
  const { view } = query
  const text = textOf(query, input)
  const { keys, rowOrder } = query
  const { tableId } = schema
  const cursorQuery = { tableId, query: text, keys, rowOrder, viewVersion: view?.version }
  const last = cursor === undefined ? undefined : fromQueryCursor(secrets, cursorQuery, cursor)
  const after = last && rowOrder ? await placeAfterRenumbering(tx, schema, rowOrder, last) : last
  if (last && !after) {
    throw invalidAt(
      ['cursor'],
      'is no longer valid, because many rows of the view were moved: begin again with the first page',
    )
  }
  const found = await findPage(tx, schema, query, { after, skip, take: take + 1 })
  return {
    source: readFound(tx, schema, found),
    cursorAt: (index) => toQueryCursor(secrets, cursorQuery, found[index] as FoundRecord),
  }
}

/** What a query asks, as a text that tells it from all others. */
function textOf({ view }: PageQuery, input: PageInput): string {
  const ofView = view && [view.id, view.filter, view.sort, view.group]
  const { fieldKeyType, filter, orderBy, groupBy, collapsedGroupIds, search } = input
  const members = [fieldKeyType, filter, orderBy, groupBy, collapsedGroupIds, search, ofView]
  const { selectedRecordIds, filterLinkCellCandidate, filterLinkCellSelected } = input
  const picked = [selectedRecordIds, filterLinkCellCandidate, filterLinkCellSelected]
  // What isn't sent stands as null in the list.
  return JSON.stringify([...members, ...picked])
}

/**
 * Records of one cell of a link, in its order: few enough to be found at once. A cursor goes on after its record, or
 * where that was, once it is in the cell no more.
 */
async function readPicked(
  { tx, secrets }: PageContext,
  schema: TableSchema,
  query: PageQuery,
  inOrder: readonly string[],
  input: PageInput,
): Promise<RecordPage> {
  const shown = await findInOrder(tx, schema, query.condition, inOrder)
  const of = { tableId: schema.tableId, query: textOf(query, input), keys: [] }
  const { cursor, skip, take } = input
  const last = cursor === undefined ? undefined : fromQueryCursor(secrets, of, cursor)
  const at = last ? shown.findIndex(({ autoNumber }) => autoNumber === last.autoNumber) : -1
  const start = skip + (at < 0 ? Number(last?.values[0] ?? 0) : at + 1)
  return {
    source: readFound(tx, schema, shown.slice(start, start + take + 1)),
    cursorAt: (index) => {
      const { autoNumber } = shown[start + index] as FoundRecord
      return toQueryCursor(secrets, of, { values: [start + index], autoNumber })
    },
  }
}
