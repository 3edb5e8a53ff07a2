import Database from 'better-sqlite3'

/** Pages for which it isn't worth to sync the file. */
const pagesNotMoved = 100

/** Pages that may be left in a log for the moment in which nobody writes: some milliseconds of copying. */
const pagesLeft = 1_000

/**
 * Moves committed changes from the log of a file to the file, except those that a snapshot still needs in the log;
 * returns whether hardly anything is left. With a patience, in milliseconds, it moves everything and empties the log;
 * nobody may write meanwhile. It then waits up to that time for the snapshots that read the log to end, and doesn't
 * empty the log when one of them takes longer. Snapshots that begin after everything was moved read only the file and
 * are no hindrance, so reads may overlap. Returns false as well where the file can't be written to.
 */
export function moveLog(file: string, patienceMs: number | undefined): boolean {
  try {
    const database = new Database(file, { fileMustExist: true, timeout: patienceMs ?? 0 })
    try {
      return isMoved(database, patienceMs !== undefined)
    } finally {
      database.close()
    }
  } catch {
    // Such as a full disk: what is in the log is safe there, and is moved later.
    return false
  }
}

interface Moved {
  readonly busy: number
  /** Pages in the log, and those of them that are in the file as well. */
  readonly log: number
  readonly checkpointed: number
}

function isMoved(database: Database.Database, isEmptied: boolean): boolean {
  if (!isEmptied && pagesIn(checkpoint(database, 'NOOP')) < pagesNotMoved) return true
  // As durable as a commit: what is taken out of the log must be on disk.
  database.pragma('synchronous = FULL')
  const moved = checkpoint(database, isEmptied ? 'TRUNCATE' : 'PASSIVE')
  return moved.busy === 0 && (isEmptied || pagesIn(moved) <= pagesLeft)
}

function checkpoint(database: Database.Database, how: 'NOOP' | 'PASSIVE' | 'TRUNCATE'): Moved {
  const [moved] = database.pragma(`wal_checkpoint(${how})`) as [Moved]
  return moved
}

/** Pages that are in the log alone. */
function pagesIn({ log, checkpointed }: Moved): number {
  return log - checkpointed
}
