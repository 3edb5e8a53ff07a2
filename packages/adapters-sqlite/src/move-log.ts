import Database from 'better-sqlite3'

/** Pages that may be left in a log for the moment in which nobody writes: some milliseconds of copying. */
const pagesLeft = 1_000

/** Milliseconds that nobody writes while the snapshots of quick reads come to their end. */
const patienceMs = 50

/**
 * Moves what is committed from the log of a file to the file, as far as no snapshot keeps it there. With
 * `isEmptied` all of it, and the log is empty then: nobody may write meanwhile. Whether that was done, hardly
 * anything being left in the first case. False as well where the file can't be written to.
 */
export function moveLog(file: string, isEmptied: boolean): boolean {
  try {
    const database = new Database(file, { fileMustExist: true, timeout: patienceMs })
    try {
      return isMoved(database, isEmptied)
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
