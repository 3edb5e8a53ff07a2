import { type Issue, invalid } from '../errors.ts'
import type { Board, LayoutItem } from './board.ts'
import { type BoardContext, type BoardKind, saveBoard } from './board-kind.ts'

/**
 * Replaces the layout of a board that is held. Throws validation_error for an item that names no install of the board, or
 * one that another item names.
 */
export async function arrangeBoard<Kept extends Board>(
  context: BoardContext,
  kind: BoardKind<Kept>,
  board: Kept,
  layout: readonly LayoutItem[],
): Promise<Kept> {
  const installs = new Set((await context.tx.pluginInstalls.listAt(board.id)).map(({ id }) => id))
  const seen = new Set<string>()
  const issues = layout.flatMap(({ pluginInstallId }, index): Issue[] => {
    const path = ['layout', index, 'pluginInstallId']
    if (!installs.has(pluginInstallId)) {
      return [{ path, message: 'must be the id of a plugin that is installed here' }]
    }
    if (seen.has(pluginInstallId)) return [{ path, message: 'must not be named twice' }]
    seen.add(pluginInstallId)
    return []
  })
  if (issues.length > 0) throw invalid(issues)
  if (JSON.stringify(layout) === JSON.stringify(board.layout)) return board
  return saveBoard(context, kind, { ...board, layout })
}
