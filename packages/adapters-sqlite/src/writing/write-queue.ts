import { backgroundCaller } from '@gateleg/domain/access/caller-of'
import { assert } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { FairQueue, ownCaller } from '@gateleg/domain/structures/fair-queue'
import { type SqlConnection, SqlFailure, WorkIsLong } from '@gateleg/sql/core/connection'
import { commitCount } from '../connection/commit-count.ts'
import type { SqliteConnection } from '../connection/sqlite-connection.ts'
import { ReadsOutdated } from '../threads/reads-outdated.ts'
import type { LogSync } from './log-sync.ts'
import type { LongWrites } from './long-writes.ts'
import { PlaceInTurn } from './place-in-turn.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

interface Job {
  readonly caller: string
  /** Whether it has a transaction of its own, on the thread for such writes. */
  readonly isLong: boolean
  readonly run: () => Promise<void>
  /** Tells the caller how it ended; called after the shared commit. */
  readonly settle: (commitFailure: unknown) => void
}

type Work<T> = (connection: SqlConnection) => Promise<T>

/** Takes a write out that may share a commit; undefined when there is none, or it isn't its turn. */
type Take = () => Job | undefined

/** What a writer uses besides its connection. */
interface WriterBeside {
  /** Makes another connection to the same file. */
  readonly reopen: () => SqliteConnection
  /** Where long writes go on; they are as all others where there is no such place. */
  readonly longWrites?: LongWrites
  /** What was committed and isn't in the file yet. */
  readonly log?: WriteAheadLog
  /** Brings commits to the disk; the connection does it where there is none. */
  readonly sync?: LogSync
}

/** What is known of a write when it enters the queue. */
interface WriteTurn {
  /** Whose it is; the program's own when it isn't said. */
  readonly caller?: string
  /** Whether it changes many records. */
  readonly isLong?: boolean
  /** Whether a long one does what comes before its first change before it is its turn. */
  readonly readsFirst?: boolean
}

/**
 * One writer behind a queue in which callers take turns. Writes that wait at the same time share one transaction,
 * each in a savepoint of its own, and none is answered before the shared commit is on disk: so there is one sync per
 * batch, not one per write. While the disk is waited for, others arrive for the next batch. A shared transaction ends once
 * its writes have taken a while, so that a short write isn't answered as late as a long one after it; for the same reason a
 * write of the background begins a transaction and never joins one. Long writes have a transaction each, on a thread where they hold up only other writers; between
 * two of them short writes go first. Of long writes that read first, one at a time does so, beside whoever writes.
 */
export class WriteQueue {
  #connection: SqliteConnection
  readonly #beside: WriterBeside | undefined
  readonly #now: () => number
  readonly #waiting = new FairQueue<Job>()
  readonly #placeToRead = new PlaceInTurn()
  #draining: Promise<void> | undefined
  /** How many writes shared the last commit. */
  #sharedBefore = 1
  #onArrival = () => {}

  /**
   * Takes what there is beside the connection, undefined where a database has only one, and a clock that never
   * goes back, in milliseconds.
   */
  constructor(
    connection: SqliteConnection,
    beside?: WriterBeside,
    now: () => number = () => performance.now(),
  ) {
    this.#connection = connection
    if (beside?.sync) connection.leaveSyncing()
    this.#beside = beside
    this.#now = now
  }

  /**
   * Runs the work when it is the caller's turn, in a shared transaction unless it is long, which it may turn out
   * to be: then it is undone and has another turn. Undone alone when it throws. `service_busy` when too many of
   * the caller wait.
   */
  write<T>(
    work: Work<T>,
    { caller = ownCaller, isLong = false, readsFirst = false }: WriteTurn = {},
  ): Promise<T> {
    const failure = this.#beside?.sync?.failure
    if (failure) return Promise.reject(failure)
    const longWrites = isLong ? this.#beside?.longWrites : undefined
    if (longWrites && readsFirst) {
      return this.#onceSynced(this.#writeReadingFirst(work, caller, longWrites))
    }
    return new Promise<T>((resolve, reject) => {
      let outcome: { value: T } | { error: unknown } | undefined
      const run = async () => {
        try {
          const writing = longWrites && this.#onceSynced(longWrites.write(work))
          outcome = { value: await (writing ?? this.#inSavepoint(work)) }
        } catch (error) {
          outcome = { error }
        }
      }
      const settle = (commitFailure: unknown) => {
        if (outcome && 'error' in outcome) {
          if (outcome.error instanceof WorkIsLong) {
            const { readsFirst } = outcome.error
            this.write(work, { caller, isLong: true, readsFirst }).then(resolve, reject)
          } else reject(outcome.error)
        } else if (commitFailure !== undefined || !outcome) reject(commitFailure)
        else resolve(outcome.value)
      }
      this.#add({ caller, isLong: longWrites !== undefined, run, settle })
    })
  }

  /**
   * A long write syncs its own commit, and with it those before. One that changes nothing, or is refused, may tell of others
   * that are not on the disk yet.
   */
  async #onceSynced<T>(writing: Promise<T>): Promise<T> {
    const sync = this.#beside?.sync
    try {
      return await writing
    } finally {
      if (sync) await sync.whenSynced(sync.commits)
    }
  }

  /** Where what it had read has changed, the work is run once more from its beginning, in the turn that it has by then. */
  async #writeReadingFirst<T>(work: Work<T>, caller: string, longWrites: LongWrites): Promise<T> {
    const leave = await this.#placeToRead.enter(caller)
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const takeTurn = () =>
      new Promise<void>((resolve) => {
        const run = () => {
          leave()
          resolve()
          return ended
        }
        this.#add({ caller, isLong: true, run, settle: () => {} })
      })
    try {
      return await longWrites.writeReadingFirst(work, takeTurn)
    } catch (error) {
      if (!(error instanceof ReadsOutdated)) throw error
      return await longWrites.write(work)
    } finally {
      leave()
      end()
    }
  }

  /** Runs what nobody may write beside, when its turn comes; rejects with what it throws. */
  takeTurn(run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const caller = ownCaller
      this.#add({ caller, isLong: true, run: () => run().catch(reject), settle: () => resolve() })
    })
  }

  #add(job: Job): void {
    this.#waiting.add(job.caller, job)
    this.#onArrival()
    this.#draining ??= this.#drain()
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining
    await this.#beside?.sync?.idle()
  }

  /** Lets go of the connection; nothing may be written any more. */
  close(): void {
    this.#beside?.sync?.close()
    this.#connection.close()
  }

  async #drain(): Promise<void> {
    let take = this.#inOrder
    while (this.#waiting.size > 0) {
      const first = await this.#takeFirst(take)
      if (first.isLong) {
        await this.#commitAlone(first)
        this.#beside?.log?.keepSmallAfterLong()
        take = this.#shortOnes(first.caller)
      } else {
        this.#replaceSpent()
        await this.#commitTogether(first, take)
        this.#beside?.log?.keepSmallSoon()
        take = this.#inOrder
      }
    }
    this.#draining = undefined
  }

  /** A short write that has waited for a long one doesn't wait for others as well. */
  async #takeFirst(take: Take): Promise<Job> {
    const waited = take === this.#inOrder ? undefined : take()
    if (waited) return waited
    // The rest of what has arrived on the sockets joins this batch before it begins.
    await nextTurn()
    await this.#awaitCompany()
    const first = take() ?? this.#waiting.take()
    assert(first, 'something waits')
    return first
  }

  /** Where no other connection is to be had, the one there is goes on. */
  #replaceSpent(): void {
    if (!this.#beside || !this.#connection.isSpent) return
    const before = this.#connection
    try {
      this.#connection = this.#beside.reopen()
      if (this.#beside.sync) this.#connection.leaveSyncing()
    } catch {
      return
    }
    before.close()
  }

  readonly #isWaitedFor = (): boolean => this.#waiting.size > 0

  /** Takes the next write if it may join a commit that others have begun. */
  readonly #inOrder: Take = () => {
    const { next } = this.#waiting
    return next && mayJoin(next) ? this.#waiting.take() : undefined
  }

  /**
   * Takes writes that may share a commit past those that may not, after a long one of the caller's: so they wait
   * for that one alone. One of each other caller, so that the next long one doesn't wait for more.
   */
  #shortOnes(caller: string): Take {
    const had = new Set([caller])
    return () => {
      const job = this.#waiting.take((other, one) => mayJoin(one) && !had.has(other))
      if (job) had.add(job.caller)
      return job
    }
  }

  async #commitAlone(job: Job): Promise<void> {
    await job.run()
    commitCount.made++
    job.settle(undefined)
  }

  async #commitTogether(first: Job, take: Take): Promise<void> {
    const jobs: Job[] = []
    const { sync } = this.#beside ?? {}
    // Who comes while the background is at work waits for it in any case, and then not for a second commit.
    const joining = isOfBackground(first) ? limits.writesPerCommit : this.#waiting.size
    const most = Math.min(joining + 1, limits.writesPerCommit)
    const next = () => (jobs.length < most ? take() : undefined)
    let failure: unknown
    try {
      if (sync?.failure) throw sync.failure
      this.#connection.beginWriting()
      let end = this.#now() + limits.commitMs
      const nextInTime = async () =>
        this.#now() < end
          ? (next() ?? (await this.#takeWhileSyncing(take, jobs.length)))
          : undefined
      for (let job: Job | undefined = first; job; job = await nextInTime()) {
        jobs.push(job)
        await job.run()
        if (isOfBackground(job)) end = this.#now() + limits.commitMs
        if (!this.#connection.inTransaction) throw transactionLost()
      }
      // Known by now: a long write may have left a large log, and so may those of this transaction.
      this.#connection.movesLog = !this.#beside?.log?.isMovedElsewhere
      this.#commit(jobs)
    } catch (error) {
      failure = error
      this.#undo()
      // Those whose turn was in this transaction would most likely meet the same one after another.
      if (!jobs.includes(first)) jobs.push(first)
      for (let job = next(); job; job = next()) jobs.push(job)
    }
    const settle = (failed: unknown) => {
      for (const job of jobs) job.settle(failed)
    }
    const synced = failure === undefined ? sync?.committed() : undefined
    if (synced) synced.then(() => settle(undefined), settle)
    else settle(failure)
  }

  /**
   * Takes a write that comes while an earlier commit is being synced: the next sync begins only then, so that nobody is answered
   * later for the company.
   */
  async #takeWhileSyncing(take: Take, taken: number): Promise<Job | undefined> {
    const { sync } = this.#beside ?? {}
    while (sync?.running && taken < limits.writesPerCommit) {
      const job = take()
      if (job) return job
      const arrived = new Promise<void>((resolve) => {
        this.#onArrival = resolve
      })
      await Promise.race([sync.running, arrived])
    }
    return undefined
  }

  /**
   * Waits for as many writes as shared the last commit: who was answered then often writes again at once, and whoever came a
   * moment too late for a commit waits for two. For a part of the time that its sync took, so that nobody loses much; not while
   * that goes on, when whoever comes is taken in any case.
   */
  async #awaitCompany(): Promise<void> {
    const { sync } = this.#beside ?? {}
    if (!sync || sync.running) return
    const end = this.#now() + sync.lastMs * (limits.commitWaitPercent / 100)
    while (this.#waiting.size < this.#sharedBefore && this.#now() < end) await nextTurn()
  }

  #commit(jobs: readonly Job[]): void {
    this.#connection.commit()
    this.#sharedBefore = jobs.length
    commitCount.made++
  }

  /** Where even that fails the next transaction can't begin, and it is tried again. */
  #undo(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.control('ROLLBACK')
    } catch {
      // Those who wait are told what failed first.
    }
  }

  async #inSavepoint<T>(work: Work<T>): Promise<T> {
    this.#connection.control('SAVEPOINT job')
    this.#connection.beginWrite(this.#beside?.longWrites !== undefined, this.#isWaitedFor)
    try {
      const value = await work(this.#connection)
      this.#connection.control('RELEASE job')
      return value
    } catch (error) {
      if (this.#connection.inTransaction) {
        this.#connection.control('ROLLBACK TO job')
        this.#connection.control('RELEASE job')
      }
      throw error
    }
  }
}

/** Resolves in the next turn of the event loop, when what has arrived on the sockets is read. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Whether it is work of the background, which takes a while though it isn't long. */
function isOfBackground({ caller }: Job): boolean {
  return caller === backgroundCaller
}

/** Whether it may join a commit that others have begun. */
function mayJoin(job: Job): boolean {
  return !job.isLong && !isOfBackground(job)
}

/** Out of space, SQLite gives the whole transaction up: what shared it is gone, what follows must wait. */
function transactionLost(): SqlFailure {
  return new SqlFailure('unavailable', 'The shared transaction was given up', undefined)
}
