import type { Lock } from '../access/lock.ts'
import { DomainError } from '../errors.ts'
import type { ReadTx } from '../store.ts'
import type { View } from './view.ts'

/** A view of the table; `view_not_found` when there is none of the id. */
export async function requireView(
  tx: ReadTx,
  { tableId, viewId }: { readonly tableId: string; readonly viewId: string },
  lock: Lock = 'none',
): Promise<View> {
  const view = await tx.views.find(tableId, viewId, lock)
  if (!view) throw new DomainError('view_not_found', `There is no view "${viewId}" in this table`)
  return view
}
