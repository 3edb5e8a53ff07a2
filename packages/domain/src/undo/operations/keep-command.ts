import { type Actor, isKnown } from '../../access/actor.ts'
import { later } from '../../clock.ts'
import { limits } from '../../limits.ts'
import { choicesNamedBy } from '../../schemas/choice-names.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import { UndoLog } from '../undo-log.ts'
import { leftIn, type UndoStep } from '../undo-step.ts'
import { valuesInFilters } from './view-filters.ts'

/** What a call notes that its caller may want to undo; undefined where nobody could. */
export function logOf({ actor, windowId }: CallContext): UndoLog | undefined {
  return windowId === undefined || userOf(actor) === undefined ? undefined : new UndoLog()
}

/** What guards find of the table that a call is about: that of the path, or that of an entry of the trash. */
interface Scope {
  readonly base?: { readonly spaceId: string }
  readonly table?: { readonly id: string }
  readonly place?: Pick<Scope, 'base' | 'table'>
}

/** Keeps what a call noted, if it is anything, as a command about the table that its guard found. */
export async function keepCommand(
  tx: WriteTx,
  { actor, windowId, now }: CallContext,
  log: UndoLog,
  scope: unknown,
): Promise<void> {
  const userId = userOf(actor)
  const { place, table = place?.table, base = place?.base } = scope as Scope
  if (log.steps.length === 0 || !table || windowId === undefined || userId === undefined) return
  const noted = await withChoices(tx, table.id, log.steps)
  const steps = base ? noted.map((step) => leftIn(step, base.spaceId)) : noted
  const expiresTime = later(now, limits.undoHours * 60 * 60_000)
  const command = { userId, tableId: table.id, windowId, steps, expiresTime }
  const { undoCommandsPerUser: commands, undoBytesPerUser: bytes } = limits
  await tx.undo.add(command, { commands, bytes })
}

/** The steps with the choices that filters of views name: who undoes them finds these, whatever they are called by then. */
async function withChoices(
  tx: WriteTx,
  tableId: string,
  steps: readonly UndoStep[],
): Promise<readonly UndoStep[]> {
  if (!steps.some((step) => step.kind === 'view' && valuesInFilters(step).length > 0)) return steps
  const [table] = await tx.tables.findAll([tableId], 'none')
  const schema = table && (await tx.fields.schemaOf(table))
  if (!schema) return steps
  return steps.map((step) => {
    const choices = step.kind === 'view' ? choicesNamedBy(valuesInFilters(step), schema) : []
    return choices.length > 0 ? { ...step, choices } : step
  })
}

function userOf(actor: Actor): string | undefined {
  return isKnown(actor) ? actor.userId : undefined
}
