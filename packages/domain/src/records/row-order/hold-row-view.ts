import type { RoleScope } from '../../access/guard.ts'
import { requireView } from '../../views/require-view.ts'
import type { View } from '../../views/view.ts'
import { requireUnlocked, requireViewChanger } from '../../views/view-guard.ts'
import type { RowAnchor } from '../input/record-input.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import { numbersOf } from './place-records.ts'

/**
 * The view in whose row order records are about to be put, held for update before any record is: whoever moves rows
 * holds it first, too. Undefined where none is named. `view_not_found`; not_found for an anchor that there is not;
 * `restricted_resource` where the view is locked or the caller may not change views.
 */
export async function holdRowView(
  context: RecordsContext & RoleScope,
  order: RowAnchor | undefined,
): Promise<View | undefined> {
  if (!order) return undefined
  const { tx, table } = context
  requireViewChanger(context)
  const view = await requireView(tx, { tableId: table.id, viewId: order.viewId }, 'update')
  requireUnlocked(view)
  // Before new records take numbers, which a refusal doesn't give back on every storage.
  await numbersOf(context, await tx.fields.schemaOf(table), [order.anchorId])
  return view
}
