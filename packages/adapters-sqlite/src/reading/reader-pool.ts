import { commitCount } from '../connection/commit-count.ts'
import type { SqliteConnection } from '../connection/sqlite-connection.ts'

/** A snapshot, and how many reads are on it or wait for it. */
interface Snapshot {
  readonly begun: Promise<SqliteConnection>
  /** Undefined until it has begun, which is when its first reader goes on. */
  connection: SqliteConnection | undefined
  readers: number
  readonly commitsBefore: number
  readonly lane: Lane
}

/** Reads of one kind: those that last share no snapshot with others, and have all connections but one at most. */
interface Lane {
  /** Connections that it may have lent at the same time, and those that it has. */
  readonly most: number
  lent: number
  /** Those that wait until one of the connections lent comes back. */
  readonly waiting: (() => void)[]
  /** The snapshot that the next read may join; it may have no reader left. */
  joinable: Snapshot | undefined
}

/** What is known of a read before it begins. */
interface ReadLength {
  /** Whether it gives way to others in between, as a list does: it may hold its snapshot for long. */
  readonly lasts?: boolean | undefined
}

/**
 * A pool of read-only connections, each lent to one snapshot at a time. Reads that arrive in one turn of the event
 * loop share a snapshot, unless something was committed in between, because beginning and ending a snapshot takes as
 * long as two small queries. A connection that could not read the file, or has prepared too many statements, is
 * closed at the end of its snapshot. However many reads take long, one connection is left for short ones.
 */
export class ReaderPool {
  readonly #open: () => SqliteConnection
  readonly #size: number
  readonly #free: SqliteConnection[] = []
  #lent = 0
  readonly #short: Lane
  readonly #lasting: Lane

  /** Opens so many connections at most, each when it is first needed. */
  constructor(open: () => SqliteConnection, size: number) {
    this.#open = open
    this.#size = size
    this.#short = { most: size, lent: 0, waiting: [], joinable: undefined }
    this.#lasting = { ...this.#short, most: Math.max(1, size - 1), waiting: [] }
  }

  /** Runs the work on one snapshot; waits for a connection when all are lent. */
  async read<T>(
    work: (connection: SqliteConnection) => Promise<T>,
    { lasts }: ReadLength = {},
  ): Promise<T> {
    const snapshot = this.#join(lasts ? this.#lasting : this.#short)
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
    this.#leave(this.#short)
    this.#leave(this.#lasting)
    for (const connection of this.#free.splice(0)) connection.close()
  }

  #join(lane: Lane): Snapshot {
    if (lane.joinable?.commitsBefore !== commitCount.made) this.#leave(lane)
    lane.joinable ??= this.#newSnapshot(lane)
    lane.joinable.readers++
    return lane.joinable
  }

  #newSnapshot(lane: Lane): Snapshot {
    const begun = this.#begin(lane).then((connection) => {
      snapshot.connection = connection
      return connection
    })
    const commitsBefore = commitCount.made
    const snapshot: Snapshot = { begun, connection: undefined, readers: 0, commitsBefore, lane }
    setImmediate(() => {
      if (snapshot === lane.joinable) this.#leave(lane)
    })
    return snapshot
  }

  async #begin(lane: Lane): Promise<SqliteConnection> {
    if (this.#hasRoom(lane)) this.#lend(lane)
    else await new Promise<void>((take) => lane.waiting.push(take))
    let connection: SqliteConnection | undefined
    try {
      connection = this.#free.pop() ?? this.#open()
      connection.beginReading()
      return connection
    } catch (error) {
      connection?.close()
      this.#takeBack(lane)
      throw error
    }
  }

  /** Lets no more reads join. */
  #leave(lane: Lane): void {
    const snapshot = lane.joinable
    lane.joinable = undefined
    if (snapshot) this.#endUnused(snapshot)
  }

  /** Never throws: nobody waits for the end of a snapshot. */
  #endUnused(snapshot: Snapshot): void {
    const { connection, readers, lane } = snapshot
    if (snapshot === lane.joinable || readers > 0 || !connection) return
    if (isEnded(connection)) this.#free.push(connection)
    else connection.close()
    this.#takeBack(lane)
  }

  #hasRoom({ lent, most }: Lane): boolean {
    return this.#lent < this.#size && lent < most
  }

  #lend(lane: Lane): void {
    this.#lent++
    lane.lent++
  }

  /** Lets the first of those that wait have a connection: of those that are soon done before others. */
  #takeBack(lane: Lane): void {
    this.#lent--
    lane.lent--
    for (const next of [this.#short, this.#lasting]) {
      if (!this.#hasRoom(next)) continue
      const take = next.waiting.shift()
      if (!take) continue
      this.#lend(next)
      take()
      return
    }
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
