import { statSync } from 'node:fs'
import { limits } from '@gateleg/domain/limits'

/** Milliseconds until a log that is still read is tried again; twice as many after each try. */
const firstPauseMs = 100
const longestPauseMs = 4_000

/** Milliseconds in which many commits are followed by one look at the log. */
const lookPauseMs = 100

/** What moves a log, beside the thread that answers. */
export interface LogMover {
  /** Copies to the file what no snapshot keeps in the log. True when hardly anything is left. */
  move(): Promise<boolean>
  /** Copies the rest and empties the log, while nobody writes. False when a snapshot still reads it. */
  empty(): Promise<boolean>
}

/** Bytes of a log: what a commit may move by itself, and beyond which no long read begins. */
export interface LogBounds {
  readonly movedAtOnce: number
  readonly forLongReads: number
}

const usualBounds: LogBounds = {
  movedAtOnce: limits.logBytesMovedAtOnce,
  forLongReads: limits.logBytesForLongReads,
}

/** Where work that nobody may write beside waits for its turn. */
export interface WriteTurns {
  takeTurn(run: () => Promise<void>): Promise<void>
}

/**
 * The log of a SQLite file, which has what was committed and has not been moved to the file yet. While it is
 * small, the connection that commits moves it. A large one would hold up the thread that answers for as long
 * as it takes to copy it: it is moved on another one, and emptied as soon as no snapshot reads it any more.
 */
export class WriteAheadLog {
  readonly #path: string
  readonly #mover: LogMover
  readonly #bounds: LogBounds
  #turns: WriteTurns | undefined
  #moving: Promise<void> | undefined
  #isClosed = false
  #nextLook: NodeJS.Timeout | undefined
  #hasSnapshotEnded = false
  #endPause = () => {}
  #onEmptied = () => {}

  /** Takes the path of the file whose log it is. */
  constructor(file: string, mover: LogMover, bounds: LogBounds = usualBounds) {
    this.#path = `${file}-wal`
    this.#mover = mover
    this.#bounds = bounds
  }

  /** Whether it has to be moved on another thread. Costs a look at the size of a file. */
  get isLarge(): boolean {
    return this.#bytes > this.#bounds.movedAtOnce
  }

  /** Whether nothing may begin that reads for long: as long as a snapshot lasts, the log only grows. */
  get isFull(): boolean {
    return this.#bytes > this.#bounds.forLongReads
  }

  /** Says where it waits for its turn to be emptied; one that was left large is moved from now on. */
  takeTurnsIn(turns: WriteTurns): void {
    this.#turns = turns
    this.keepSmall()
  }

  /** Calls each time that it has been emptied. */
  onEmptied(call: () => void): void {
    this.#onEmptied = call
  }

  /** Has it moved if it is large. Returns at once. */
  keepSmall(): void {
    if (this.#moving || this.#isClosed || !this.#turns || !this.isLarge) return
    this.#moving = this.#moveAll(this.#turns).finally(() => {
      this.#moving = undefined
    })
  }

  /** The same a moment later, once for all commits until then: each look takes as long as a short statement. */
  keepSmallSoon(): void {
    this.#nextLook ??= setTimeout(() => {
      this.#nextLook = undefined
      this.keepSmall()
    }, lookPauseMs).unref()
  }

  /** Says that a snapshot has ended, or is about to. */
  tryAgain(): void {
    this.#hasSnapshotEnded = true
    this.#endPause()
  }

  /** Resolves when nothing is moved any more; nothing will be. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#nextLook)
    this.#endPause()
    await this.#moving
  }

  get #bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0
  }

  async #moveAll(turns: WriteTurns): Promise<void> {
    let pauseMs = firstPauseMs
    while (!this.#isClosed && this.isLarge) {
      this.#hasSnapshotEnded = false
      if ((await this.#mover.move()) && (await this.#isEmptied(turns))) {
        this.#onEmptied()
        continue
      }
      if (this.#hasSnapshotEnded) pauseMs = firstPauseMs
      await this.#pause(pauseMs)
      pauseMs = this.#hasSnapshotEnded ? firstPauseMs : Math.min(2 * pauseMs, longestPauseMs)
    }
  }

  async #isEmptied(turns: WriteTurns): Promise<boolean> {
    let isEmptied = false
    try {
      await turns.takeTurn(async () => {
        isEmptied = !this.#isClosed && (await this.#mover.empty())
      })
    } catch {
      // Too much waits to be written: it is tried again.
    }
    return isEmptied
  }

  /** May be ended before. An idle process may end meanwhile. */
  #pause(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
