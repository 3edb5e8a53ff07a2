import type { BoardContext } from '../boards/board-kind.ts'
import { copyInstalls, copyLayout, nameCopiesOf } from '../boards/copy-board.ts'
import { addInstalls } from '../plugin-installs/add-installs.ts'
import type { Dashboard } from './dashboard.ts'

/** A dashboard and what becomes its copy, in the same base or another one. */
export interface DashboardCopy {
  readonly original: Dashboard
  /** All but its layout. */
  readonly copy: Dashboard
}

/**
 * Stores copies of dashboards with all that is installed on them; all but their nodes. `idByOriginal` has the ids of what is
 * copied along with them, and is given theirs.
 */
export async function copyDashboards(
  context: BoardContext,
  copies: readonly DashboardCopy[],
  idByOriginal: Map<string, string>,
): Promise<readonly Dashboard[]> {
  const { tx } = context
  for (const { original, copy } of copies) idByOriginal.set(original.id, copy.id)
  const made: Dashboard[] = []
  const found = []
  for (const pair of copies) {
    const installs = await tx.pluginInstalls.heldAt(pair.original.id)
    nameCopiesOf(context, installs, idByOriginal)
    found.push({ ...pair, installs })
  }
  for (const { original, copy, installs } of found) {
    await addInstalls(tx, copyInstalls(context, installs, copy.baseId, idByOriginal))
    made.push({ ...copy, layout: copyLayout(original, idByOriginal) })
  }
  await tx.dashboards.insert(made)
  return made
}
