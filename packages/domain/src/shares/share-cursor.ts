import { invalidAt } from '../errors.ts'
import type { QueryPosition, RecordQuery } from '../queries/record-query.ts'
import { signedPosition, signPosition } from '../records/pages/cursor.ts'
import { placeOf } from '../records/pages/place-of.ts'
import type { AskedInput } from '../records/query/find-asked-query.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { Secrets } from '../secrets.ts'
import type { ReadTx } from '../store.ts'
import type { View } from '../views/view.ts'

/** What a cursor of a share belongs to: the share, its view as it is, and what a visitor asks of it. */
export interface ShareCursorQuery {
  readonly shareId: string
  readonly view: View
  readonly input: AskedInput
}

/**
 * The place after a record in what a visitor asks for: opaque, and signed for that alone. It names the record and
 * nothing that orders it, since that may be cells that aren't shown.
 */
export function toShareCursor(secrets: Secrets, query: ShareCursorQuery, recordId: string): string {
  return signPosition(secrets, nameOf(query), recordId)
}

/**
 * Where the record of a cursor stands now. validation_error for a text that is no cursor of the query, and once the
 * record is gone.
 */
export async function fromShareCursor(
  { tx, secrets }: { readonly tx: ReadTx; readonly secrets: Secrets },
  query: ShareCursorQuery,
  cursor: string,
  asked: { readonly schema: TableSchema; readonly query: RecordQuery },
): Promise<QueryPosition> {
  const recordId = signedPosition(secrets, nameOf(query), cursor)
  if (recordId === undefined) {
    throw invalidAt(['cursor'], 'must be the nextCursor of an earlier answer to the same query')
  }
  const record = await tx.records.find(asked.schema, recordId, 'none')
  if (!record) {
    throw invalidAt(
      ['cursor'],
      'is no longer valid, because its record was deleted: begin again with the first page',
    )
  }
  return placeOf(tx, asked.schema, asked.query, record)
}

function nameOf({ shareId, view, input }: ShareCursorQuery): string {
  const { fieldKeyType, filter, orderBy, groupBy, collapsedGroupIds, search } = input
  const asked = [fieldKeyType, filter, orderBy, groupBy, collapsedGroupIds, search]
  const { selectedRecordIds } = input
  // What isn't sent stands as null in the list.
  const all = [...asked, selectedRecordIds, view.filter, view.sort, view.group]
  return `share:${shareId}:${JSON.stringify(all)}`
}
