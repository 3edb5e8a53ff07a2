import Database from 'better-sqlite3'

/** Pages that may be left in a log for the moment in which nobody writes: some milliseconds of copying. */
const pagesLeft = 1_000

/**
 * Moves what is committed from the log of a file to the file, as far as no snapshot keeps it there; true when
 * hardly anything is left. With a patience, in milliseconds, it moves all of it, and the log is empty then:
 * nobody may write meanwhile. That waits so long at most until the snapshots that read the log have ended, and
 * is not done when one of them goes on for longer. Such as begin once all is moved read the file alone, and
 * hinder nothing: reads may overlap as they like. False as well where the file can't be written to.
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

function isMoved(database: Database.Database, isEmptied: boolean): boolean {
  // As durable as a commit: what is taken out of the log must be on disk.
  database.pragma('synchronous = FULL')
  const [{ busy, log, checkpointed }] = database.pragma(
    `wal_checkpoint(${isEmptied ? 'TRUNCATE' : 'PASSIVE'})`,
  ) as [{ busy: number; log: number; checkpointed: number }]
  return busy === 0 && (isEmptied || log - checkpointed <= pagesLeft)
}
