import { statSync } from 'node:fs'
import { limits } from '@gateleg/domain/limits'

/** Milliseconds until a log that is still read is tried again; twice as many after each try. */
const firstPauseMs = 100
const longestPauseMs = 4_000

/** Milliseconds in which many commits are followed by one look at the log. */
const lookPauseMs = 100

/** Milliseconds that nobody writes while snapshots that read the log may come to their end. */
const patienceMs = 15

/** Milliseconds that nobody writes where the log is full and nothing reads for long: until lists that overlap have ended. */
const patienceWhenFullMs = limits.fullLogHoldSeconds * 1_000

/** Tries after one that waited so long for nothing, until one does again: a minute of pauses, roughly. */
const triesBetween = 15

/** Moves a log to its file outside of the main thread. */
interface LogMover {
  /** Copies to the file what no snapshot keeps in the log. True when hardly anything is left. */
  move(): Promise<boolean>
  /**
   * Copies the rest and empties the log, while nobody writes. False when a snapshot reads it for longer than so
   * many milliseconds.
   */
  empty(patienceMs: number): Promise<boolean>
}

/**
 * Sizes of a log in bytes: beyond which it is moved after a long write, up to which a commit moves it, and beyond which
 * no long read begins.
 */
interface LogBounds {
  readonly movedAfterLong?: number
  readonly movedAtOnce: number
  readonly forLongReads: number
}

const usualBounds = {
  movedAfterLong: limits.logBytesMovedAfterLong,
  movedAtOnce: limits.logBytesMovedAtOnce,
  forLongReads: limits.logBytesForLongReads,
}

/** Runs work in its turn among the writes: nobody writes meanwhile. */
interface WriteTurns {
  takeTurn(run: () => Promise<void>): Promise<void>
}

/**
 * The write-ahead log of a SQLite file, with the commits that were not moved to the file yet. While it is small, the
 * connection that commits moves it. Moving a large log would hold up the main thread for as long as it takes to copy
 * it, so it is moved on another thread, and emptied as soon as no snapshot reads it any more.
 */
export class WriteAheadLog {
  readonly #path: string
  readonly #mover: LogMover
  readonly #bounds: Required<LogBounds>
  #turns: WriteTurns | undefined
  #moving: Promise<void> | undefined
  #isClosed = false
  #nextLook: NodeJS.Timeout | undefined
  #longReads = 0
  #hasLongReadEnded = false
  /** Tries until one may hold writers up for as long as quick reads last. */
  #triesUntilPatient = 0
  #endPause = () => {}
  #onEmptied = () => {}

  /** Takes the path of the file whose log it is. */
  constructor(file: string, mover: LogMover, bounds: LogBounds = usualBounds) {
    this.#path = `${file}-wal`
    this.#mover = mover
    this.#bounds = { ...usualBounds, ...bounds }
  }

  /** Whether it has to be moved on another thread. Costs a look at the size of a file. */
  get isLarge(): boolean {
    return this.#bytes > this.#bounds.movedAtOnce
  }

  /** Whether commits leave it alone, as it is moved on another thread or has to be. Costs as much. */
  get isMovedElsewhere(): boolean {
    return this.#moving !== undefined || this.isLarge
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
    if (this.#moving && this.#isPatient) this.#endPause()
    if (this.#moving || this.#isClosed || !this.#turns || !this.isLarge) return
    this.#noteMoving(this.#moveAll(this.#turns))
  }

  /**
   * Has it moved after a long write if it is large, or nearly as large as what a commit moves: the next short write would do
   * that before it is answered, on the main thread. Returns at once.
   */
  keepSmallAfterLong(): void {
    this.keepSmall()
    if (this.#moving || this.#isClosed || !this.#turns) return
    if (this.#bytes <= this.#bounds.movedAfterLong) return
    this.#noteMoving(this.#moveOnce())
  }

  async #moveOnce(): Promise<void> {
    await this.#mover.move()
  }

  /** Where that fails, the next write has it moved. */
  #noteMoving(moving: Promise<void>): void {
    const end = () => {
      this.#moving = undefined
    }
    this.#moving = moving.then(end, end)
  }

  /** Has it moved a moment later if it is large, once for all commits until then: each look takes as long as a short statement. */
  keepSmallSoon(): void {
    this.#nextLook ??= setTimeout(() => {
      this.#nextLook = undefined
      this.keepSmall()
    }, lookPauseMs).unref()
  }

  /** Says that a snapshot begins which may last; the log is emptied once it has ended. */
  longReadBegins(): void {
    this.#longReads++
  }

  /** Says that it has ended, or is about to. */
  longReadEnds(): void {
    this.#longReads--
    this.#hasLongReadEnded = true
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

  /** Whether it is time for all snapshots to end: only quick reads have any, and new ones read the file alone. */
  get #isPatient(): boolean {
    return this.#triesUntilPatient === 0 && this.#longReads === 0 && this.isFull
  }

  async #moveAll(turns: WriteTurns): Promise<void> {
    let pauseMs = firstPauseMs
    while (!this.#isClosed && this.isLarge) {
      this.#hasLongReadEnded = false
      this.#triesUntilPatient = Math.max(0, this.#triesUntilPatient - 1)
      const isMoved = await this.#mover.move()
      if ((isMoved || this.#isPatient) && (await this.#isEmptied(turns))) {
        this.#onEmptied()
        continue
      }
      if (this.#hasLongReadEnded) pauseMs = firstPauseMs
      await this.#pause(pauseMs)
      pauseMs = this.#hasLongReadEnded ? firstPauseMs : Math.min(2 * pauseMs, longestPauseMs)
    }
  }

  async #isEmptied(turns: WriteTurns): Promise<boolean> {
    let isEmptied = false
    try {
      await turns.takeTurn(async () => {
        if (this.#isClosed) return
        const isPatient = this.#isPatient
        isEmptied = await this.#mover.empty(isPatient ? patienceWhenFullMs : patienceMs)
        // Such as another program may read for long: nobody is to wait for it again and again.
        if (isPatient && !isEmptied) this.#triesUntilPatient = triesBetween
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
