import { type RoleScope, requireScope } from '../../access/guard.ts'
import { type Action, canTake } from '../../access/roles.ts'
import { DomainError } from '../../errors.ts'
import type { RecordsContext } from '../../records/reading/records-context.ts'

/** Where a command is undone or redone: its table, which is held alone, and who does it. */
export type UndoContext = RecordsContext & RoleScope

/** Whether a step is undone, or done again. */
export type UndoDirection = 'undo' | 'redo'

/** Refuses who may not take the action by now: `restricted_resource`. */
export function requireAction({ actor, role }: UndoContext, action: Action): void {
  requireScope(actor, action)
  if (canTake(role, action)) return
  throw new DomainError(
    'restricted_resource',
    `The role "${role}" may not take the action "${action}"`,
  )
}
