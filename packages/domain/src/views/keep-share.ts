import type { TableContext } from '../tables/table-context.ts'
import type { View } from './view.ts'
import type { ViewShare } from './view-share.ts'

/** How the view is shared; not at all, where nobody has decided anything. */
export async function shareOf({ tx }: Pick<TableContext, 'tx'>, view: View): Promise<ViewShare> {
  const { id: viewId, tableId } = view
  const noPassword = { passwordHash: null, passwordTag: null }
  const nothing = { viewId, tableId, shareId: null, settings: {}, ...noPassword }
  return (await tx.viewShares.find(viewId)) ?? nothing
}

/** Keeps how a view that is held is shared, which counts as a change of the view. */
export async function keepShare(
  { tx, now, userId }: TableContext,
  view: View,
  share: ViewShare,
): Promise<void> {
  await tx.viewShares.save(share)
  await tx.views.update({ ...view, lastModifiedBy: userId, lastModifiedTime: now })
  const payload = { tableId: view.tableId, viewId: view.id }
  tx.emit({ name: 'view.updated', time: now, userId, payload })
}
