import type { Lock } from '../access/lock.ts'
import type { Board } from './board.ts'

/** Reads boards of one kind. */
export interface BoardReader<Kept extends Board> {
  /** The board of the id, deleted ones apart; the lock is for transactions that write. */
  find(id: string, lock?: Lock): Promise<Kept | undefined>
}

/** Keeps them. */
export interface BoardRepository<Kept extends Board> extends BoardReader<Kept> {
  insert(boards: readonly Kept[]): Promise<void>
  /** Replaces name and layout; the version grows by one. */
  update(board: Kept): Promise<void>
  /** Removes the board for good; what is installed on it is kept by itself. */
  delete(id: string): Promise<void>
}
