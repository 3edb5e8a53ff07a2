import type { SqliteConnection } from './sqlite-connection.ts'

/** A snapshot, and how many reads are on it or wait for it. */
interface Snapshot {
  readonly begun: Promise<SqliteConnection>
  readers: number
}

/**
 * Read-only connections, each lent to one snapshot at a time. Reads that come in one turn of the event
 * loop share a snapshot: to begin and end one takes as long as two small queries.
 */
export class ReaderPool {
  readonly #all: readonly SqliteConnection[]
  readonly #free: SqliteConnection[]
  readonly #waiting: ((connection: SqliteConnection) => void)[] = []
  /** The snapshot that the next read joins; it may have no reader left. */
  #joinable: Snapshot | undefined

  constructor(connections: readonly SqliteConnection[]) {
    this.#all = connections
    this.#free = [...connections]
  }

  /** Runs the work on one snapshot; waits for a connection when all are lent. */
  async read<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    this.#joinable ??= this.#newSnapshot()
    const snapshot = this.#joinable
    snapshot.readers++
    const connection = await snapshot.begun
    try {
      return await work(connection)
    } finally {
      snapshot.readers--
      if (snapshot !== this.#joinable && snapshot.readers === 0) this.#end(connection)
    }
  }

  /** Lets no more reads join: those that come see what was committed until they came. */
  async renew(): Promise<void> {
    const snapshot = this.#joinable
    this.#joinable = undefined
    // Where there is a reader, the last one ends the snapshot.
    if (snapshot?.readers === 0) this.#end(await snapshot.begun)
  }

  /** Lets go of the connections; nothing may be read any more. */
  async close(): Promise<void> {
    await this.renew()
    for (const connection of this.#all) connection.close()
  }

  #newSnapshot(): Snapshot {
    const snapshot = { begun: this.#begin(), readers: 0 }
    setImmediate(() => {
      if (snapshot === this.#joinable) this.renew()
    })
    return snapshot
  }

  async #begin(): Promise<SqliteConnection> {
    const connection =
      this.#free.pop() ?? (await new Promise<SqliteConnection>((take) => this.#waiting.push(take)))
    connection.control('BEGIN')
    return connection
  }

  #end(connection: SqliteConnection): void {
    connection.control('COMMIT')
    const next = this.#waiting.shift()
    if (next) next(connection)
    else this.#free.push(connection)
  }
}
