import type { PluginPosition } from '../plugins/plugin.ts'
import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import type { Board, LayoutItem } from './board.ts'
import type { BoardRepository } from './board-repository.ts'

/** What changing a board needs to know of the call. */
export type BoardContext = Pick<CallContext, 'now' | 'ids'> & {
  readonly tx: WriteTx
  readonly userId: string
}

/** What tells dashboards and plugin panels from each other. */
export interface BoardKind<Kept extends Board> {
  /** Where plugins say that they may be put. */
  readonly position: PluginPosition
  repositoryOf(tx: WriteTx): BoardRepository<Kept>
  /** The table that the board belongs to, if it does. */
  tableIdOf(board: Kept): string | undefined
  /** Where the next plugin goes on a board with so many. */
  placeFor(count: number): Omit<LayoutItem, 'pluginInstallId'>
  /** Tells that a board has changed. */
  emitUpdated(context: BoardContext, board: Kept): void
}

/** Stores a board that is held and has changed in name, layout, or what is installed there. */
export async function saveBoard<Kept extends Board>(
  context: BoardContext,
  kind: BoardKind<Kept>,
  board: Kept,
): Promise<Kept> {
  await kind.repositoryOf(context.tx).update(board)
  kind.emitUpdated(context, board)
  return { ...board, version: board.version + 1 }
}
