import { AnswerTooLong } from '../../answer-too-long.ts'
import { limits } from '../../limits.ts'
import type { FoundRecord, RecordQuery } from '../../queries/record-query.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { Secrets } from '../../secrets.ts'
import type { ReadTx } from '../../store.ts'
import { fromCursor, toCursor } from '../cursor.ts'
import type { RecordBatch } from '../record-batch.ts'
import { fromQueryCursor, toQueryCursor } from './query-cursor.ts'
import { readFound } from './read-found.ts'
import { asksForAll, type QueryInput } from './to-record-query.ts'

/** Which part of what a query finds is asked for. */
interface PageInput extends QueryInput {
  readonly cursor?: string | undefined
  readonly skip: number
  readonly take: number
}

/** As `CallContext` has them. */
interface PageContext {
  readonly tx: ReadTx
  readonly secrets: Secrets
  readonly answerLength?: number
  readonly mayEndSooner?: boolean
}

/** The records of a page, and what leads on from one of them. One more than asked for, where there is one. */
export interface RecordPage extends Pick<RecordBatch, 'records' | 'isCut'> {
  cursorAt(secrets: Secrets, index: number): string
}

/** Reads the page of a query. Throws AnswerTooLong where it may not end before it has as many as were asked for. */
export async function readPageOf(
  context: PageContext,
  schema: TableSchema,
  query: RecordQuery,
  input: PageInput,
): Promise<RecordPage> {
  const { answerLength: length, mayEndSooner } = context
  const page = await (asksForAll(query)
    ? readAll(context, schema, input)
    : readMatching(context, schema, query, input))
  const isTooLong = length !== undefined && (page.isCut || page.size > length)
  if (isTooLong && !mayEndSooner) throw new AnswerTooLong()
  return page
}

type SizedPage = RecordPage & Pick<RecordBatch, 'size'>

async function readAll(
  { tx, secrets, answerLength: length }: PageContext,
  schema: TableSchema,
  { cursor, skip, take }: PageInput,
): Promise<SizedPage> {
  const { tableId } = schema
  const after = cursor === undefined ? 0 : fromCursor(secrets, tableId, cursor)
  const found = await tx.records.page(schema, {
    after,
    skip,
    take: take + 1,
    ...(length !== undefined && { length }),
  })
  return {
    ...found,
    cursorAt: (by, index) => toCursor(by, tableId, found.records[index]?.autoNumber ?? 0),
  }
}

async function readMatching(
  { tx, secrets, answerLength: length }: PageContext,
  schema: TableSchema,
  query: RecordQuery,
  { cursor, skip, take, fieldKeyType, filter, orderBy }: PageInput,
): Promise<SizedPage> {
  if ((await tx.recordScanner.lastNumber(schema)) > limits.recordsSearchedAtOnce) tx.becomeLong()
  const text = JSON.stringify([fieldKeyType, filter ?? null, orderBy ?? null])
  const cursorQuery = { tableId: schema.tableId, query: text, keys: query.keys }
  const after = cursor === undefined ? undefined : fromQueryCursor(secrets, cursorQuery, cursor)
  const found = await tx.recordFinder.find(schema, query, { after, skip, take: take + 1 })
  const batch = await readFound(tx, schema, found, length)
  return {
    ...batch,
    cursorAt: (by, index) => toQueryCursor(by, cursorQuery, found[index] as FoundRecord),
  }
}
