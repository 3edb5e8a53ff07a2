import { readGrouping, type ToldGroups } from '../records/groups/group-points.ts'
import { findPage } from '../records/pages/find-page.ts'
import { readFound } from '../records/pages/read-found.ts'
import { type AskedInput, findAskedQuery } from '../records/query/find-asked-query.ts'
import type { CellFormat } from '../records/showing/record-output.ts'
import { type SearchHit, SearchHits } from '../records/showing/search-hits.ts'
import { type ShownRecords, showAsWithin } from '../records/showing/show-within.ts'
import type { Secrets } from '../secrets.ts'
import type { ReadTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import { jsonBytes } from '../values/json/json-bytes.ts'
import { fromShareCursor, type ShareCursorQuery, toShareCursor } from './share-cursor.ts'
import type { ShareScope } from './share-guard.ts'
import { type SharedRecordOutput, toSharedRecord } from './shared-record.ts'

/** Who asks, of which share. */
export type ShareContext = Pick<CallContext, 'now' | 'publicUrl'> &
  ShareScope & { readonly tx: ReadTx; readonly secrets: Secrets }

/** Which records of a share are asked for, and how they are shown. */
interface ShownInput extends AskedInput {
  readonly cellFormat: CellFormat
  readonly projection?: readonly string[] | undefined
  readonly cursor?: string | undefined
  readonly skip: number
  readonly take: number
}

/** A page of the records of a share. */
interface ShownPage extends Omit<ShownRecords<SharedRecordOutput>, 'hasMore'> {
  readonly nextCursor: string | null
  /** All groups of what is asked for, where the first page of them is asked for with its groups. */
  readonly groups: ToldGroups | undefined
  /** Where the records show what is searched, if anything is. */
  readonly searchHitIndex: readonly SearchHit[] | undefined
}

/**
 * The page of the records that the view of a share shows, so many bytes as JSON at most, one record at least. No cell
 * is read that isn't shown, so that none has a part in where a page ends; those that order them are.
 */
export async function listShown(
  context: ShareContext,
  input: ShownInput,
  { bytes, withGroups }: { readonly bytes: number; readonly withGroups: boolean },
): Promise<ShownPage> {
  const { tx, actor, publicUrl, secrets, share, view } = context
  const { fieldKeyType, cellFormat, projection, skip, take } = input
  const asked = await findAskedQuery({ ...context, userId: '' }, input)
  const { schema, shown, query, search } = asked
  const cursorQuery: ShareCursorQuery = { shareId: share.shareId ?? '', view, input }
  const after =
    input.cursor === undefined
      ? undefined
      : await fromShareCursor(context, cursorQuery, input.cursor, asked)
  const columns = shown.columns.map(({ column }) => column)
  const found = await findPage(tx, schema, query, { after, skip, take: take + 1 }, columns)
  const source = readFound(tx, schema, found, columns)
  const keys = projection && new Set(projection)
  const how = { fieldKeyType, cellFormat, projection: keys, toShown: toSharedRecord }
  const shape = { ...how, actor, publicUrl }
  const grouping =
    withGroups && input.cursor === undefined
      ? (asked.grouping ?? (await readGrouping(context, asked, [])))
      : undefined
  const groups = await grouping?.tell()
  const end = { most: take, bytes: bytes - (groups ? jsonBytes(groups) : 0) }
  const hits = search && new SearchHits(tx, search)
  const page = await showAsWithin(tx, shown, source, shape, end, hits)
  const { records, hasMore } = page
  const isTooLong = page.isTooLong || end.bytes < 0
  const last = records.at(-1)
  const nextCursor = hasMore && last ? toShareCursor(secrets, cursorQuery, last.id) : null
  const searchHitIndex = hits && records.flatMap((record) => hits.of(record))
  return { records, isTooLong, nextCursor, groups, searchHitIndex }
}
