import { requireRole } from '../../access/guard.ts'
import { DomainError } from '../../errors.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import { toNamesOfToday } from '../../schemas/choice-names.ts'
import { changeView, type ViewChanges } from '../../views/change-view.ts'
import { dropRowOrder } from '../../views/operations/freeze-row-order.ts'
import { requireView } from '../../views/require-view.ts'
import type { View } from '../../views/view.ts'
import { requireUnlocked } from '../../views/view-guard.ts'
import type { ViewStep } from '../undo-step.ts'
import { movedOn } from './moved-on.ts'
import { requireAction, type UndoContext, type UndoDirection } from './undo-context.ts'
import { withFilterValues } from './view-filters.ts'

/** Gives a view back the settings that it had, or those that it got. Returns the step as it is then. */
export async function applyView(
  context: UndoContext,
  step: ViewStep,
  direction: UndoDirection,
): Promise<ViewStep> {
  requireAction(context, 'view|update')
  const { tx, table } = context
  const { viewId, choices = [] } = step
  const schema = choices.length > 0 ? await tx.fields.schemaOf(table) : undefined
  const today = (state: ViewStep['before']) =>
    schema ? withFilterValues(state, toNamesOfToday(choices, schema)) : state
  const states = { before: today(step.before), after: today(step.after) }
  const view = await requireView(tx, { tableId: table.id, viewId }, 'update')
  const [expected, wanted] =
    direction === 'undo' ? [states.after, states.before] : [states.before, states.after]
  for (const member of Object.keys(expected)) {
    const isSame = asSet(member, view[member as keyof View]) === asSet(member, expected[member])
    if (!isSame) throw movedOn(`The ${member} of the view "${view.name}"`)
  }
  if ('isLocked' in wanted) requireRole(context.role, 'creator')
  else requireUnlocked(view)
  if ('rowOrder' in wanted) {
    await requireKept(context, wanted.rowOrder as RowOrder | null)
    await dropRowOrder(context, { baseId: table.baseId, tableId: table.id }, view)
  }
  await changeView(context, view, wanted as ViewChanges)
  if (!('rowOrder' in expected)) return step
  // Records were moved in it meanwhile, perhaps, and moved back.
  const left = { ...(direction === 'undo' ? step.after : step.before), rowOrder: view.rowOrder }
  return direction === 'undo' ? { ...step, after: left } : { ...step, before: left }
}

/** What somebody set, as text: of a row order which one it is. */
function asSet(member: string, value: unknown): string {
  return JSON.stringify(member === 'rowOrder' ? ((value as RowOrder | null)?.id ?? null) : value)
}

/** Refuses a row order that a view had, where it is removed by now. */
async function requireKept({ tx, table }: UndoContext, rowOrder: RowOrder | null): Promise<void> {
  if (!rowOrder || (await tx.rowOrders.exists(table.baseId, rowOrder.id))) return
  throw new DomainError(
    'conflict',
    'The order of the rows was replaced too long ago: it is not kept any more',
  )
}
