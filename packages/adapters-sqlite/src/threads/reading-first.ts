import { limits } from '@gateleg/domain/limits'
import {
  type RowBatch,
  type Run,
  type Runs,
  rowSize,
  type SqlConnection,
  SqlFailure,
} from '@gateleg/sql/core/connection'
import type { ThreadMethod } from './thread-messages.ts'
import { eachInStep, type Session, statementsOf } from './thread-session.ts'

/**
 * The connection of a write that reads first: until it changes something it is in nobody's way. Only then it waits for its
 * turn, and its transaction begins; what it read before is read once more there, and must be the same, so that it is
 * as if all of it had been read there. Rows that it adds first are with the thread by then.
 */
export class ReadingFirst implements SqlConnection {
  readonly #session: Session
  readonly #takeTurn: () => Promise<void>
  readonly #read: ReturnType<typeof statementsOf>['read']
  readonly #write: ReturnType<typeof statementsOf>['write']
  #holding: Promise<void> | undefined
  /** How much was read, and sent ahead. */
  #readSize = 0
  #aheadSize = 0

  /** Takes what resolves when it is the turn of the write. */
  constructor(session: Session, takeTurn: () => Promise<void>) {
    const { read, write } = statementsOf(session, 'readingFirst')
    this.#session = session
    this.#takeTurn = takeTurn
    this.#read = read
    this.#write = write
  }

  /** Begins the transaction if that has not been done. Fails with ReadsOutdated where something that was read has changed. */
  hold(): Promise<void> {
    this.#holding ??= this.#begin()
    return this.#holding
  }

  async all(sql: string, parameters: readonly unknown[]) {
    return (await this.#find('all', sql, parameters)).rows as never
  }

  async rows(sql: string, parameters: readonly unknown[]) {
    return (await this.#find('rows', sql, parameters)).rows
  }

  rowsWithin(sql: string, parameters: readonly unknown[], size: number, most?: number) {
    return this.#find('rowsWithin', sql, parameters, size, most)
  }

  async run(sql: string, parameters: readonly unknown[]) {
    await this.hold()
    return this.#write('run', sql, parameters)
  }

  async addInOrder(runs: Runs) {
    let number: number | undefined
    await eachInStep(runs, async (run) => {
      if (!this.#holding && this.#hasRoomFor(run)) {
        return this.#session.ask({ kind: 'sendAhead', run })
      }
      number = await this.#add(run)
    })
    return number ?? this.#add()
  }

  async define(sql: string) {
    await this.hold()
    await this.#write('define', sql, [])
  }

  async #begin(): Promise<void> {
    await this.#takeTurn()
    await this.#session.ask({ kind: 'hold' })
  }

  /** Adds what was sent ahead and the run. Where others wait from here on, that begins the transaction, too: they wait for one answer. */
  async #add(run?: Run): Promise<number> {
    const request = { kind: 'addInOrder', of: 'readingFirst', ...(run && { run }) } as const
    if (this.#holding) {
      await this.#holding
      return (await this.#session.ask(request)).count
    }
    const adding = this.#takeTurn().then(() => this.#session.ask(request))
    this.#holding = adding.then(noValue, unlessRefused)
    this.#holding.catch(noValue)
    return (await adding).count
  }

  async #find(
    method: ThreadMethod,
    sql: string,
    parameters: readonly unknown[],
    size?: number,
    most?: number,
  ): Promise<RowBatch> {
    if (!isRead(sql)) await this.hold()
    const batch = await this.#read(method, sql, parameters, size, most)
    if (!this.#holding) {
      this.#readSize += sizeOf(batch)
      // To read so much again takes a while, too.
      if (this.#readSize > limits.lengthReadFirst) await this.hold()
    }
    return batch
  }

  #hasRoomFor({ values }: Run): boolean {
    for (const list of values) this.#aheadSize += rowSize(list)
    return this.#aheadSize <= limits.lengthSentAhead
  }
}

function noValue(): void {}

/** A row may be refused although the transaction has begun. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof SqlFailure)) throw error
}

/** What a statement takes at least, whatever it finds. */
const statementSize = 1_000

function sizeOf({ rows }: RowBatch): number {
  let size = statementSize
  for (const row of rows) size += rowSize(Array.isArray(row) ? row : Object.values(row as object))
  return size
}

/** Whether the statement can't change anything. Of others, some don't either. */
function isRead(sql: string): boolean {
  return /^\s*select\b/i.test(sql)
}
