import { commitCount } from './commit-count.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** A snapshot, and how many reads are on it or wait for it. */
interface Snapshot {
  readonly begun: Promise<SqliteConnection>
  /** Undefined until it has begun, which is when its first reader goes on. */
  connection: SqliteConnection | undefined
  readers: number
  readonly commitsBefore: number
}

/**
 * Read-only connections, each lent to one snapshot at a time. Reads that come in one turn of the event
 * loop share a snapshot, unless something was committed in between: to begin and end one takes as long
 * as two small queries. A connection that could not
 * read the file, or has prepared too much, is closed with its snapshot.
 */
export class ReaderPool {
  readonly #open: () => SqliteConnection
  readonly #size: number
  readonly #free: SqliteConnection[] = []
  /** Those that wait until one of the connections lent comes back. */
  readonly #waiting: (() => void)[] = []
  #lent = 0
  /** The snapshot that the next read may join; it may have no reader left. */
  #joinable: Snapshot | undefined

  /** Opens so many connections at most, each when it is first needed. */
  constructor(open: () => SqliteConnection, size: number) {
    this.#open = open
    this.#size = size
  }

  /** Runs the work on one snapshot; waits for a connection when all are lent. */
  async read<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    const snapshot = this.#join()
    const connection = await snapshot.begun
    try {
      return await work(connection)
    } finally {
      snapshot.readers--
      this.#endUnused(snapshot)
    }
  }

  /** Lets go of the connections; nothing may be read any more. */
  close(): void {
    this.#leave()
    for (const connection of this.#free.splice(0)) connection.close()
  }

  #join(): Snapshot {
    if (this.#joinable?.commitsBefore !== commitCount.made) this.#leave()
    this.#joinable ??= this.#newSnapshot()
    this.#joinable.readers++
    return this.#joinable
  }

  #newSnapshot(): Snapshot {
    const begun = this.#begin().then((connection) => {
      snapshot.connection = connection
      return connection
    })
    const commitsBefore = commitCount.made
    const snapshot: Snapshot = { begun, connection: undefined, readers: 0, commitsBefore }
    setImmediate(() => {
      if (snapshot === this.#joinable) this.#leave()
    })
    return snapshot
  }

  async #begin(): Promise<SqliteConnection> {
    if (this.#lent < this.#size) this.#lent++
    else await new Promise<void>((take) => this.#waiting.push(take))
    let connection: SqliteConnection | undefined
    try {
      connection = this.#free.pop() ?? this.#open()
      connection.control('BEGIN')
      return connection
    } catch (error) {
      connection?.close()
      this.#takeBack()
      throw error
    }
  }

  /** Lets no more reads join. */
  #leave(): void {
    const snapshot = this.#joinable
    this.#joinable = undefined
    if (snapshot) this.#endUnused(snapshot)
  }

  /** Never throws: nobody waits for the end of a snapshot. */
  #endUnused(snapshot: Snapshot): void {
    const { connection, readers } = snapshot
    if (snapshot === this.#joinable || readers > 0 || !connection) return
    if (isEnded(connection)) this.#free.push(connection)
    else connection.close()
    this.#takeBack()
  }

  /** Lets the first of those that wait have a connection. */
  #takeBack(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#lent--
  }
}

/** Ends the connection's transaction. False for a connection that is of no use any more. */
function isEnded(connection: SqliteConnection): boolean {
  if (connection.isBroken || connection.isSpent) return false
  try {
    connection.control('COMMIT')
    return true
  } catch {
    // Who read on it has been told what failed.
    return false
  }
}
