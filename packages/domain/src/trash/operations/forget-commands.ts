import { limits } from '../../limits.ts'
import type { WriteTx } from '../../store.ts'
import type { UndoCommandKey } from '../../undo/undo-repository.ts'
import type { FinalStep, UndoStep } from '../../undo/undo-step.ts'

const purged: FinalStep = {
  kind: 'final',
  reason: 'Something that was changed was purged from the trash since: nothing is undone or redone',
}

/**
 * Takes out of the commands about a table what they keep of things that are purged: those that name one of them can't
 * be undone or redone any more. All commands of the table are looked through, which are those of a day.
 */
export async function forgetCommands(
  tx: Pick<WriteTx, 'undo' | 'giveWay'>,
  tableId: string,
  ids: readonly string[],
): Promise<void> {
  const { undoCommandsLookedThrough, undoBytesLookedThrough } = limits
  const room = { commands: undoCommandsLookedThrough, bytes: undoBytesLookedThrough }
  const gone = new Set(ids)
  let after: UndoCommandKey | undefined
  for (;;) {
    const commands = await tx.undo.listOf(tableId, after, room)
    after = commands.at(-1)
    if (!after) return
    const naming = commands.filter(({ steps }) => nameOne(steps, gone))
    await tx.undo.replaceSteps(naming, [purged])
    await tx.giveWay()
  }
}

/** Ids stand in quotes wherever a step names something. */
function nameOne(steps: readonly UndoStep[], ids: ReadonlySet<string>): boolean {
  const named = JSON.stringify(steps).matchAll(/"([A-Za-z0-9]+)"/g)
  return named.some(([, id = '']) => ids.has(id))
}
