import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { limits } from '@gateleg/domain/limits'
import { type SqlConnection, SqlFailure } from '@gateleg/sql/core/connection'
import { threadTurns } from '../thread-turns.ts'
import { ReadingFirst } from './reading-first.ts'
import { ReadsOutdated } from './reads-outdated.ts'
import { RunningStatement } from './running-statement.ts'
import type { ThreadAnswer, ThreadRequest } from './thread-messages.ts'
import {
  type Answer,
  readerOn,
  type Session,
  type SessionRequest,
  writerOn,
} from './thread-session.ts'

const threadMemoryMb = limits.statementThreadBytes / (1024 * 1024)

/**
 * Megabytes of them for what was made last. Rows are short-lived: with more room than this they only lie there
 * until they are collected.
 */
const newObjectsMb = 8

/** Milliseconds between two looks at the statement that runs. */
const statementLookMs = 250

/** Ends the process although a thread can't be ended: to exit would be to wait for it. */
const endProcess = () => process.kill(process.pid, 'SIGKILL')

/** What may become of a thread. */
interface ThreadEnds {
  /** Hears when it counts as ended, whyever, and waits for what runs on it still. */
  readonly onEnd: (stopped: Promise<unknown>) => void
  /**
   * Whether it may be ended for a read that takes longer than a statement may, `longReadStatementMs`; none is where it isn't
   * told.
   */
  readonly mayGiveUp?: () => boolean
}

/** The statement that a session waits for. */
interface Waiting {
  readonly rows: unknown[]
  readonly resolve: (answer: Answer) => void
  readonly reject: (failure: SqlFailure | ReadsOutdated) => void
}

/** What it is asked beside all sessions, and answers in the order in which it was asked. */
type Aside = Extract<ThreadRequest, { kind: 'check' | 'moveLog' }>
type AsideAnswer = Extract<ThreadAnswer, { kind: 'findings' | 'logMoved' }>

/**
 * A thread that reads from a file and writes to it, with a connection for each snapshot and each transaction. It ends
 * when it fails.
 */
export class StatementThread {
  readonly #worker: Worker
  readonly #exited: Promise<unknown>
  readonly #waiting = new Map<number, Waiting>()
  readonly #ends: ThreadEnds
  readonly #running = new RunningStatement()
  /** Looks whether a statement has run for too long, while anything waits for the thread. */
  #looking: NodeJS.Timeout | undefined
  readonly #givenUp = Promise.withResolvers<void>()
  #lastSession = 0
  #sessions = 0
  /** What waits for an answer of the thread: the process lives as long as that. */
  #holders = 0
  #failure: SqlFailure | undefined
  /** Resolves when the thread has let go of the file, once it has failed. */
  #stopped: Promise<unknown> = Promise.resolve()
  #asides: ((answer: AsideAnswer | undefined) => void)[] = []

  /** Starts it. */
  constructor(file: string, ends: ThreadEnds) {
    this.#ends = ends
    // The same file is TypeScript while we work, and JavaScript in a package.
    const program = new URL(`./statement-worker${extname(import.meta.url)}`, import.meta.url)
    this.#worker = new Worker(program, {
      workerData: { file, statements: this.#running.shared },
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: threadMemoryMb,
        maxYoungGenerationSizeMb: newObjectsMb,
      },
    })
    this.#worker.unref()
    this.#worker.on('message', (answer: ThreadAnswer) => {
      this.#take(answer).catch((error) => this.#end(error))
    })
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('messageerror', (error) => this.#end(error))
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve))
    this.#worker.on('exit', () => this.#end(undefined))
  }

  /** How many snapshots, transactions and checks are open. */
  get sessions(): number {
    return this.#sessions
  }

  /** Runs the work on one snapshot. Fails with SqlFailure, `unavailable`, when the thread ends meanwhile. */
  async read<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const session = this.#begin()
    try {
      return await work(readerOn(session))
    } finally {
      // Nobody waits for that: the thread may be busy with the statement of another session.
      void session.end()
    }
  }

  /**
   * Runs the work in one transaction; resolves when it is on disk. Nobody else may write until then. Undone
   * when it throws; fails with SqlFailure, `unavailable`, when the thread ends meanwhile. `onCommit` is called before the
   * commit begins.
   */
  async write<T>(
    work: (connection: SqlConnection) => Promise<T>,
    onCommit: () => void,
  ): Promise<T> {
    const session = this.#begin()
    try {
      const value = await work(writerOn(session))
      onCommit()
      await session.commit()
      return value
    } finally {
      await session.end()
    }
  }

  /**
   * As `write`, but others may write until the work changes something: then `takeTurn` is called, which resolves when
   * nobody else may. It is called as well where the work fails before, as what it had read must have been there at one
   * time. Fails with ReadsOutdated where something that was read has changed until then.
   */
  async writeReadingFirst<T>(
    work: (connection: SqlConnection) => Promise<T>,
    takeTurn: () => Promise<void>,
    onCommit: () => void,
  ): Promise<T> {
    const session = this.#begin()
    const connection = new ReadingFirst(session, takeTurn)
    try {
      const value = await work(connection).finally(() => connection.hold())
      onCommit()
      await session.commit()
      return value
    } finally {
      await session.end()
    }
  }

  /** Reads the whole file. Returns what is wrong with it, in SQLite's words; undefined when the thread ends before it knows. */
  async check(): Promise<readonly string[] | undefined> {
    const answer = await this.#askAside({ kind: 'check' })
    return answer?.kind === 'findings' ? answer.findings : undefined
  }

  /** Moves the log to the file, see `moveLog`; false as well when the thread ends. */
  async moveLog(patienceMs: number | undefined): Promise<boolean> {
    const answer = await this.#askAside({ kind: 'moveLog', patienceMs })
    return answer?.kind === 'logMoved' && answer.isDone
  }

  /** Ends it. A statement that can't be stopped is waited for until it would be given up. */
  async close(): Promise<void> {
    // A process with nothing else to do would end before the thread has, as it would with the end of its last session.
    this.#hold()
    await Promise.race([this.#stop(), this.#givenUp.promise])
  }

  /** One that works keeps the process alive, an idle one doesn't. */
  #hold(): void {
    if (this.#holders++ > 0) return
    this.#worker.ref()
    if (this.#ends.mayGiveUp) this.#lookAtStatements(this.#ends.mayGiveUp)
  }

  #letGo(): void {
    if (--this.#holders > 0) return
    this.#worker.unref()
    clearInterval(this.#looking)
  }

  #lookAtStatements(mayGiveUp: () => boolean): void {
    let statement: number | undefined
    let sinceMs = 0
    this.#looking = setInterval(() => {
      const { current } = this.#running
      const nowMs = performance.now()
      if (current !== statement) {
        statement = current
        sinceMs = nowMs
      }
      const isTooLong = current !== undefined && nowMs - sinceMs > limits.longReadStatementMs
      if (isTooLong && mayGiveUp()) this.#giveUp()
    }, statementLookMs).unref()
  }

  /** Counts as ended in the midst of a statement, which it goes on with until it can be stopped. */
  #giveUp(): void {
    this.#end(undefined, 'A statement took too long')
    this.#givenUp.resolve()
    process.once('exit', endProcess)
    void this.#stopped.then(() => process.off('exit', endProcess))
  }

  /**
   * Resolves once the thread has stopped. A statement that runs is stopped by the next function of ours that it calls; in a
   * thread that is terminated such calls would come to nothing, and the statement would go on to its end.
   */
  async #stop(): Promise<void> {
    if (this.#running.current !== undefined) {
      this.#running.stop()
      await this.#exited
    }
    await this.#worker.terminate()
  }

  #begin(): Session {
    const id = ++this.#lastSession
    this.#sessions++
    this.#hold()
    // A session has one statement at a time.
    let last: Promise<unknown> = Promise.resolve()
    let hasEnded = false
    const ask = (request: SessionRequest | { readonly kind: 'commit' }) => {
      const asking = last.then(() => {
        if (hasEnded) throw new SqlFailure('other', 'The transaction has ended', undefined)
        return this.#ask({ ...request, session: id })
      })
      last = asking.catch(() => undefined)
      return asking
    }
    const commit = async () => {
      await ask({ kind: 'commit' })
      hasEnded = true
      this.#sessions--
      this.#letGo()
    }
    const end = async () => {
      if (hasEnded) return
      this.#sessions--
      await last
      hasEnded = true
      await this.#ask({ kind: 'end', session: id }).catch(() => this.#stopped)
      // Not before: whoever waits for that would find the process at its end.
      this.#letGo()
    }
    return { ask, commit, end }
  }

  /** Undefined when the thread ends meanwhile. */
  async #askAside(request: Aside): Promise<AsideAnswer | undefined> {
    this.#sessions++
    this.#hold()
    try {
      return await new Promise<AsideAnswer | undefined>((resolve) => {
        if (this.#failure) return resolve(undefined)
        this.#asides.push(resolve)
        this.#send(request)
      })
    } finally {
      this.#sessions--
      this.#letGo()
    }
  }

  #ask(request: ThreadRequest & { readonly session: number }): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      this.#waiting.set(request.session, { rows: [], resolve, reject })
      this.#send(request)
    })
  }

  #send(request: ThreadRequest): void {
    if (!this.#failure) this.#worker.postMessage(request)
  }

  async #take(answer: ThreadAnswer): Promise<void> {
    if (answer.kind === 'findings' || answer.kind === 'logMoved') {
      this.#asides.shift()?.(answer)
      return
    }
    const { session } = answer
    const waiting = this.#waiting.get(session)
    if (!waiting) return
    if (answer.kind === 'failure') {
      this.#waiting.delete(session)
      waiting.reject(
        answer.failure === 'readsOutdated'
          ? new ReadsOutdated()
          : new SqlFailure(answer.failure, answer.message, undefined),
      )
      return
    }
    if (answer.kind === 'done') {
      this.#waiting.delete(session)
      waiting.resolve({ rows: [], size: 0, isCut: false, count: answer.count })
      return
    }
    const last = waiting.rows.at(-1)
    for (const [index, row] of answer.rows.entries()) {
      if (index > 0 || !answer.continuesRow) waiting.rows.push(row)
      else for (const value of row as unknown[]) (last as unknown[]).push(value)
    }
    if (answer.isLast) {
      this.#waiting.delete(session)
      const rows = waiting.rows as readonly (readonly unknown[])[]
      waiting.resolve({ rows, size: answer.size, isCut: answer.isCut, count: 0 })
      return
    }
    await threadTurns.giveWay()
    this.#send({ kind: 'more', session })
  }

  #end(cause: unknown, reason = 'A thread of the storage has ended'): void {
    if (this.#failure) return
    const failure = new SqlFailure('unavailable', reason, cause)
    this.#failure = failure
    for (const { reject } of this.#waiting.values()) reject(failure)
    this.#waiting.clear()
    for (const resolve of this.#asides.splice(0)) resolve(undefined)
    clearInterval(this.#looking)
    this.#stopped = this.#stop().catch(() => undefined)
    this.#ends.onEnd(this.#stopped)
  }
}
