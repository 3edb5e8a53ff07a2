import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { limits } from '@gateleg/domain/limits'
import { SqlFailure } from '@gateleg/sql/core/connection'

/** What reaches the disk: of a file, or of nothing in tests. */
export interface SyncedFile {
  /** Returns once all that was written to it is on the disk. */
  syncAtOnce(): void
  /** Resolves once all that was written to it is on the disk; waits beside the main thread. */
  sync(): Promise<void>
  close(): void
}

interface Waiting {
  readonly commits: number
  readonly resolve: () => void
  readonly reject: (failure: SqlFailure) => void
}

/** Of the times that syncs took, how much the last one counts: one that is slow by chance changes little. */
const shareOfLast = 0.25

/**
 * Brings commits that are in the write-ahead log of a file to the disk. Where the disk is quick that is done at once; where it
 * isn't, on another thread, so that the main thread goes on meanwhile, one sync for all commits that were made before it began.
 * What others have committed can be read before it is on the disk, but nobody is told of it before.
 */
export class LogSync {
  readonly #file: SyncedFile
  readonly #now: () => number
  readonly #waiting: Waiting[] = []
  #commits = 0
  #synced = 0
  #running: Promise<void> | undefined
  #usualMs = 0
  #lastMs = 0
  #failure: SqlFailure | undefined

  /** Takes a clock that never goes back, in milliseconds. */
  constructor(file: SyncedFile, now: () => number = () => performance.now()) {
    this.#file = file
    this.#now = now
  }

  /** How many commits have been made. */
  get commits(): number {
    return this.#commits
  }

  /** How many milliseconds the last sync took. */
  get lastMs(): number {
    return this.#lastMs
  }

  /** Resolves when the sync that is under way has ended, however; undefined when there is none. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  /** Why nothing that was committed can be said to be on the disk any more: until the file is opened anew. */
  get failure(): SqlFailure | undefined {
    return this.#failure
  }

  /** Takes note of a commit, which is in the log, and brings it to the disk. Answers as `whenSynced`. */
  committed(): Promise<void> | undefined {
    this.#commits++
    if (!this.#failure && !this.#running && this.#isQuick) this.#syncAtOnce()
    return this.whenSynced(this.#commits)
  }

  /**
   * Resolves when the first so many commits are on the disk; undefined where they are. Fails with SqlFailure, `unreadable`,
   * where that can't be known.
   */
  whenSynced(commits: number): Promise<void> | undefined {
    if (commits <= this.#synced) return undefined
    if (this.#failure) return Promise.reject(this.#failure)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ commits, resolve, reject })
    this.#running ??= this.#syncAll()
    return promise
  }

  /** Resolves when nothing is synced any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  close(): void {
    this.#file.close()
  }

  get #isQuick(): boolean {
    return this.#usualMs <= limits.syncMicrosecondsAtOnce / 1_000
  }

  #syncAtOnce(): void {
    const beganMs = this.#now()
    try {
      this.#file.syncAtOnce()
      this.#took(this.#now() - beganMs)
      this.#synced = this.#commits
    } catch (error) {
      this.#fail(error)
    }
  }

  async #syncAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#failure) {
      const { commits } = this
      const beganMs = this.#now()
      try {
        await this.#file.sync()
        this.#took(this.#now() - beganMs)
        this.#synced = commits
        this.#tell(commits)
      } catch (error) {
        this.#fail(error)
      }
    }
    this.#running = undefined
  }

  #took(ms: number): void {
    this.#lastMs = ms
    this.#usualMs += (ms - this.#usualMs) * shareOfLast
  }

  /** Those who wait do so in the order of the commits, but for readers, who may wait for less. */
  #tell(commits: number): void {
    for (const one of this.#waiting.splice(0)) {
      if (one.commits <= commits) one.resolve()
      else this.#waiting.push(one)
    }
  }

  /**
   * After a sync that failed an operating system may take for written what is not, and later commits stand behind that in the
   * log: none of them can be promised any more.
   */
  #fail(error: unknown): void {
    this.#failure = new SqlFailure('unreadable', 'The log of the file can not be synced', error)
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
  }
}

/** The write-ahead log of the SQLite file, opened when it is first synced: a connection has made it by then. */
export function logOf(file: string): SyncedFile {
  let opened: number | undefined
  // Windows syncs no file that can't be written to.
  const open = () => (opened ??= openSync(`${file}-wal`, 'r+'))
  return {
    syncAtOnce: () => fdatasyncSync(open()),
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(open(), (error) => (error ? reject(error) : resolve()))
      }),
    close: () => {
      if (opened !== undefined) closeSync(opened)
      opened = undefined
    },
  }
}
