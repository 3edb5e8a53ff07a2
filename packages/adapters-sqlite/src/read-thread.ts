import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type RowBatch, type SqlConnection, SqlFailure } from '@gateleg/sql/core/connection'
import type { ReadAnswer, ReadMethod, ReadRequest } from './read-messages.ts'
import { threadTurns } from './thread-turns.ts'

/** Megabytes of the thread's own memory, after which it ends: what it read fails, and is told so. */
const threadMemoryMb = 512

/** The statement that a session waits for. */
interface Waiting {
  readonly rows: unknown[]
  readonly resolve: (batch: RowBatch) => void
  readonly reject: (failure: SqlFailure) => void
}

/** A thread that reads a file, each snapshot on a connection of its own. It ends when it fails. */
export class ReadThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #onEnd: () => void
  #lastSession = 0
  #sessions = 0
  #failure: SqlFailure | undefined
  #checking: ((findings: readonly string[]) => void)[] = []

  /** Starts it; `onEnd` hears when it has ended, whyever. */
  constructor(file: string, onEnd: () => void) {
    this.#onEnd = onEnd
    // The same file is TypeScript while we work, and JavaScript in a package.
    const program = new URL(`./read-worker${extname(import.meta.url)}`, import.meta.url)
    this.#worker = new Worker(program, {
      workerData: { file },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
    })
    this.#worker.unref()
    this.#worker.on('message', (answer: ReadAnswer) => {
      this.#take(answer).catch((error) => this.#end(error))
    })
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('messageerror', (error) => this.#end(error))
    this.#worker.on('exit', () => this.#end(undefined))
  }

  /** How many snapshots are open. */
  get sessions(): number {
    return this.#sessions
  }

  /** Runs the work on one snapshot. Fails with SqlFailure, `unavailable`, when the thread ends meanwhile. */
  async read<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const session = ++this.#lastSession
    this.#hold()
    const { connection, end } = this.#connectionOf(session)
    try {
      return await work(connection)
    } finally {
      end()
      this.#letGo()
    }
  }

  /** Reads the whole file. Returns what is wrong with it, in SQLite's words; nothing when the thread ends. */
  async check(): Promise<readonly string[]> {
    this.#hold()
    try {
      return await new Promise<readonly string[]>((resolve) => {
        if (this.#failure) return resolve([])
        this.#checking.push(resolve)
        this.#send({ kind: 'check' })
      })
    } finally {
      this.#letGo()
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  /** One that reads keeps the process alive, an idle one doesn't. */
  #hold(): void {
    if (this.#sessions++ === 0) this.#worker.ref()
  }

  #letGo(): void {
    if (--this.#sessions === 0) this.#worker.unref()
  }

  #connectionOf(session: number): { connection: SqlConnection; end: () => void } {
    let hasEnded = false
    // A snapshot has one statement at a time.
    let last: Promise<unknown> = Promise.resolve()
    const read = (method: ReadMethod, sql: string, parameters: readonly unknown[], size = 0) => {
      const reading = last.then(() => {
        if (hasEnded) throw new SqlFailure('other', 'The snapshot has ended', undefined)
        return this.#ask({ session, method, sql, parameters, size })
      })
      last = reading.catch(() => undefined)
      return reading
    }
    const refuse = async () => {
      throw new SqlFailure('other', 'A snapshot is only read', undefined)
    }
    const connection: SqlConnection = {
      all: async (sql, parameters) => (await read('all', sql, parameters)).rows as never,
      rows: async (sql, parameters) => (await read('rows', sql, parameters)).rows,
      rowsWithin: (sql, parameters, size) => read('rowsWithin', sql, parameters, size),
      run: refuse,
      define: refuse,
    }
    const end = () => {
      hasEnded = true
      this.#send({ kind: 'end', session })
    }
    return { connection, end }
  }

  #ask(request: Omit<Extract<ReadRequest, { kind: 'read' }>, 'kind'>): Promise<RowBatch> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      this.#waiting.set(request.session, { rows: [], resolve, reject })
      this.#send({ kind: 'read', ...request })
    })
  }

  #send(request: ReadRequest): void {
    if (!this.#failure) this.#worker.postMessage(request)
  }

  async #take(answer: ReadAnswer): Promise<void> {
    if (answer.kind === 'findings') {
      for (const resolve of this.#checking.splice(0)) resolve(answer.findings)
      return
    }
    const { session } = answer
    const waiting = this.#waiting.get(session)
    if (!waiting) return
    if (answer.kind === 'failure') {
      this.#waiting.delete(session)
      waiting.reject(new SqlFailure(answer.failure, answer.message, undefined))
      return
    }
    for (const row of answer.rows) waiting.rows.push(row)
    if (answer.isLast) {
      this.#waiting.delete(session)
      const rows = waiting.rows as readonly (readonly unknown[])[]
      waiting.resolve({ rows, size: answer.size, isCut: answer.isCut })
      return
    }
    await threadTurns.giveWay()
    this.#send({ kind: 'more', session })
  }

  #end(cause: unknown): void {
    if (this.#failure) return
    const failure = new SqlFailure('unavailable', 'A thread that reads has ended', cause)
    this.#failure = failure
    for (const { reject } of this.#waiting.values()) reject(failure)
    this.#waiting.clear()
    for (const resolve of this.#checking.splice(0)) resolve([])
    this.#onEnd()
    this.#worker.terminate().catch(() => undefined)
  }
}
