import type { Timestamp } from '../clock.ts'
import type { UndoStep } from './undo-step.ts'

/** Where a user works: what is done in one window of theirs, in one table, is undone there. */
export interface UndoWindow {
  readonly userId: string
  readonly tableId: string
  readonly windowId: string
}

/** What one call did. */
export interface UndoCommand extends UndoWindow {
  /** Counts up among the commands of the user. */
  readonly number: number
  readonly isUndone: boolean
  readonly steps: readonly UndoStep[]
  readonly expiresTime: Timestamp
}

/** Which command of which user. */
export type UndoCommandKey = Pick<UndoCommand, 'userId' | 'number'>

/** How much of a user's commands is kept: so many, and so many bytes of their steps. */
export interface UndoRoom {
  readonly commands: number
  readonly bytes: number
}

/** Keeps what users did, so that they can undo it. One at a time works with the commands of a user. */
export interface UndoRepository {
  /**
   * Keeps a command as the last of its window. What was undone there can't be done again any more; of the commands of
   * the user the newest stay, as many as there is room for.
   */
  add(command: Omit<UndoCommand, 'number' | 'isUndone'>, room: UndoRoom): Promise<void>
  /** The last command of the window that isn't undone and hasn't expired. */
  lastDone(window: UndoWindow, now: Timestamp): Promise<UndoCommand | undefined>
  /** The command of the window that was undone last, if it hasn't expired. */
  lastUndone(window: UndoWindow, now: Timestamp): Promise<UndoCommand | undefined>
  /** Replaces the steps of a command, and whether it is undone. */
  save(command: UndoCommand): Promise<void>
  remove(command: UndoCommandKey): Promise<void>
  /** Removes all of the user. */
  deleteOfUser(userId: string): Promise<void>
  /**
   * Commands about a table, of all users, that follow one, in the order of users and numbers: at most as many as there is
   * room for, and one at least if there is any.
   */
  listOf(
    tableId: string,
    after: UndoCommandKey | undefined,
    room: UndoRoom,
  ): Promise<readonly UndoCommand[]>
  /** Replaces the steps of commands, all by the same. */
  replaceSteps(commands: readonly UndoCommandKey[], steps: readonly UndoStep[]): Promise<void>
  /** Removes so many at most that expired before the time, those first that expired first. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
