import { limits } from '../../limits.ts'
import type { FoundRecord, RecordQuery } from '../../queries/record-query.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { Secrets } from '../../secrets.ts'
import type { ReadTx } from '../../store.ts'
import { fromCursor, toCursor } from '../cursor.ts'
import type { RecordSource } from '../show-within.ts'
import { becomeLongIfMany } from './become-long-if-many.ts'
import { placeAfterRenumbering } from './place-after-renumbering.ts'
import { fromQueryCursor, toQueryCursor } from './query-cursor.ts'
import { recordsReadAhead } from './read-ahead.ts'
import { readFound } from './read-found.ts'
import { asksForAll, type QueryInput, type ViewQuery } from './to-record-query.ts'

/** Which part of what a query finds is asked for. */
interface PageInput extends QueryInput {
  readonly collapsedGroupIds?: readonly string[] | undefined
  readonly cursor?: string | undefined
  readonly skip: number
  readonly take: number
}

/** A query, and the view that takes part in it. */
interface PageQuery extends RecordQuery {
  readonly view?: ViewQuery | undefined
}

interface PageContext {
  readonly tx: ReadTx
  readonly secrets: Secrets
}

/** The records of a page, and what leads on from one of them. One more than asked for, where there is one. */
export interface RecordPage {
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
  { cursor, skip, take, ...asked }: PageInput,
): Promise<RecordPage> {
  await becomeLongIfMany(tx, schema, query.condition)
  const { view } = query
  const ofView = view && [view.id, view.filter, view.sort, view.group]
  const { fieldKeyType, filter, orderBy, groupBy, collapsedGroupIds, search } = asked
  const members = [fieldKeyType, filter, orderBy, groupBy, collapsedGroupIds, search, ofView]
  // What isn't sent stands as null in the list.
  const text = JSON.stringify(members)
  const { keys, rowOrder } = query
  const { tableId } = schema
  const cursorQuery = { tableId, query: text, keys, rowOrder, viewVersion: view?.version }
  const last = cursor === undefined ? undefined : fromQueryCursor(secrets, cursorQuery, cursor)
  const after = last && rowOrder ? await placeAfterRenumbering(tx, schema, rowOrder, last) : last
  const found = await tx.recordFinder.find(schema, query, { after, skip, take: take + 1 })
  return {
    source: readFound(tx, schema, found),
    cursorAt: (index) => toQueryCursor(secrets, cursorQuery, found[index] as FoundRecord),
  }
}
