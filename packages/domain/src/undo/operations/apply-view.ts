import { requireRole } from '../../access/guard.ts'
import { changeView, type ViewChanges } from '../../views/change-view.ts'
import { requireView } from '../../views/require-view.ts'
import type { View } from '../../views/view.ts'
import { requireUnlocked } from '../../views/view-guard.ts'
import type { ViewStep } from '../undo-step.ts'
import { movedOn } from './moved-on.ts'
import { requireAction, type UndoContext, type UndoDirection } from './undo-context.ts'

/** Gives a view back the settings that it had, or those that it got. */
export async function applyView(
  context: UndoContext,
  { viewId, ...states }: ViewStep,
  direction: UndoDirection,
): Promise<void> {
  requireAction(context, 'view|update')
  const { tx, table } = context
  const view = await requireView(tx, { tableId: table.id, viewId }, 'update')
  const [expected, wanted] =
    direction === 'undo' ? [states.after, states.before] : [states.before, states.after]
  for (const member of Object.keys(expected)) {
    const isSame = JSON.stringify(view[member as keyof View]) === JSON.stringify(expected[member])
    if (!isSame) throw movedOn(`The ${member} of the view "${view.name}"`)
  }
  if ('isLocked' in wanted) requireRole(context.role, 'creator')
  else requireUnlocked(view)
  await changeView(context, view, wanted as ViewChanges)
}
