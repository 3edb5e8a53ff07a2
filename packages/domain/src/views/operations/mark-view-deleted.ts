import type { TableContext } from '../../tables/table-context.ts'
import type { View } from '../view.ts'

/** Moves a view that is held to the trash of its table, in one operation, whose id it returns. */
export async function markViewDeleted(
  { tx, now: time, userId, ids, undo }: TableContext,
  { id: viewId, tableId }: Pick<View, 'id' | 'tableId'>,
): Promise<string> {
  const operationId = ids.next('operation')
  const deletion = { operationId, time, userId }
  await tx.views.markDeleted(viewId, deletion)
  const what = { resourceType: 'view', resourceIds: [viewId] } as const
  await tx.trash.add(deletion, { placeId: tableId, ...what })
  undo?.noteTrash({ kind: 'deletion', of: 'view', ids: [viewId], entryId: operationId })
  tx.emit({ name: 'view.deleted', time, userId, payload: { tableId, viewId } })
  return operationId
}
