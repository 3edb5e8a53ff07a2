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
 * as two small queries.
 */
export class ReaderPool {
  readonly #all: readonly SqliteConnection[]
  readonly #free: SqliteConnection[]
  readonly #waiting: ((connection: SqliteConnection) => void)[] = []
  /** The snapshot that the next read may join; it may have no reader left. */
  #joinable: Snapshot | undefined

  constructor(connections: readonly SqliteConnection[]) {
    this.#all = connections
    this.#free = [...connections]
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
    for (const connection of this.#all) connection.close()
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
    const connection =
      this.#free.pop() ?? (await new Promise<SqliteConnection>((take) => this.#waiting.push(take)))
    connection.control('BEGIN')
    return connection
  }

  /** Lets no more reads join. */
  #leave(): void {
    const snapshot = this.#joinable
    this.#joinable = undefined
    if (snapshot) this.#endUnused(snapshot)
  }

  #endUnused(snapshot: Snapshot): void {
    const { connection, readers } = snapshot
    if (snapshot === this.#joinable || readers > 0 || !connection) return
    connection.control('COMMIT')
    const next = this.#waiting.shift()
    if (next) next(connection)
    else this.#free.push(connection)
  }
}
