import type { PostgresConnection } from '../connection/postgres-connection.ts'

/** A connection that somebody opened, and how it is closed. */
export interface OpenedConnection {
  readonly connection: PostgresConnection
  close(): void
  /** Calls back once it is closed, by whomever. */
  onClosed(closed: () => void): void
}

interface SharedConnectionOptions {
  readonly open: () => Promise<OpenedConnection>
  /** Milliseconds after which it is made anew. */
  readonly lifeMs: number
  /** Reads on it at the same time, at most. */
  readonly readsMax: number
  /** Milliseconds without an answer, while it has reads to answer, after which no more join. */
  readonly stalledMs: number
  /** Milliseconds of that after which another connection is opened in its place. */
  readonly replacedMs: number
}

interface Current {
  readonly opened: OpenedConnection
  readonly openedMs: number
  reads: number
  /** When a read ended, or the first of those under way began. */
  movedMs: number
  isLeaving: boolean
}

/**
 * One connection for the short reads of all callers, each a statement or two by itself, which follow one another on it: those of a
 * turn of the event loop are sent to the server together, and wake it once. A read that would take long holds up those behind
 * it, so nobody joins while none is answered.
 */
export class SharedConnection {
  readonly #options: SharedConnectionOptions
  #current: Current | undefined
  /** Connections in whose place another one was opened, and that have reads. */
  #leaving = 0
  #isOpening = false
  #isClosed = false

  constructor(options: SharedConnectionOptions) {
    this.#options = options
  }

  /** The connection, until `giveBack`; undefined where the read had better have one of its own. */
  join(): { readonly connection: PostgresConnection; giveBack(): void } | undefined {
    const nowMs = performance.now()
    const current = this.#takeCurrent(nowMs)
    if (!current) {
      this.#open()
      return undefined
    }
    const { readsMax, stalledMs, replacedMs } = this.#options
    if (current.reads === 0) current.movedMs = nowMs
    const stalls = nowMs - current.movedMs
    if (stalls > replacedMs && this.#leaving < leavingMost) this.#leave()
    if (current.reads >= readsMax || stalls > stalledMs) return undefined
    current.reads++
    return {
      connection: current.opened.connection,
      giveBack: () => {
        current.reads--
        current.movedMs = performance.now()
        if (current.isLeaving) this.#endUnused(current)
      },
    }
  }

  /** Lets go of the connection once its reads have ended. */
  close(): void {
    this.#isClosed = true
    this.#leave()
  }

  #takeCurrent(nowMs: number): Current | undefined {
    const current = this.#current
    if (!current) return undefined
    const isOld = nowMs - current.openedMs > this.#options.lifeMs
    if (!isOld && !current.opened.connection.isSpent) return current
    this.#leave()
    return undefined
  }

  #open(): void {
    if (this.#isOpening || this.#isClosed) return
    this.#isOpening = true
    this.#options
      .open()
      .then((opened) => {
        const nowMs = performance.now()
        const current = { opened, openedMs: nowMs, movedMs: nowMs, reads: 0, isLeaving: false }
        this.#current = current
        // Nobody may come to read on it any more: who opened it hears at once that its place is free.
        opened.onClosed(() => {
          if (this.#current === current) this.#leave()
        })
        if (this.#isClosed) this.#leave()
      })
      // Whoever reads on a connection of their own hears what is the matter.
      .catch(() => {})
      .finally(() => {
        this.#isOpening = false
      })
  }

  #leave(): void {
    const current = this.#current
    this.#current = undefined
    if (!current) return
    current.isLeaving = true
    this.#leaving++
    this.#endUnused(current)
  }

  #endUnused({ reads, opened }: Current): void {
    if (reads > 0) return
    this.#leaving--
    opened.close()
  }
}

/** Connections without an answer that are put up with, beside the one that is used. */
const leavingMost = 2
