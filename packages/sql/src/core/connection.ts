import type { LongWork } from '@gateleg/domain/store'

/**
 * One connection of a storage, inside one transaction. Values are bound, never put into the text.
 * Fails with SqlFailure for what SQL itself refuses, never with an error of the driver's own class.
 */
export interface SqlConnection {
  /** The rows as objects, by column name. */
  all(sql: string, parameters: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /**
   * The rows that answer a question of the product's own tables which nearly every call asks: a storage that knows that
   * nothing of them was changed answers with those that it gave before, as does one that compares them by itself, and runs the
   * work again where they were changed. They must not be changed. Other rows are given once `behind` is answered, a statement that
   * was sent before and holds what the question is about.
   */
  allOften?(
    sql: string,
    parameters: readonly unknown[],
    behind?: Promise<unknown>,
  ): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The rows as arrays, in the order of the columns: cheaper for wide rows. */
  rows(
    sql: string,
    parameters: readonly unknown[],
    place?: StatementPlace,
  ): Promise<readonly (readonly unknown[])[]>
  /**
   * Like `rows`, but ends before the row with which all rows together would be larger than `size` (see `rowSize`), and,
   * where a number is given, after that many rows; the first row is always read.
   */
  rowsWithin(
    sql: string,
    parameters: readonly unknown[],
    size: number,
    most?: number,
  ): Promise<RowBatch>
  /** Runs a statement that answers no rows. Returns how many rows it changed. */
  run(sql: string, parameters: readonly unknown[], place?: StatementPlace): Promise<number>
  /**
   * Adds rows to a table that numbers them in the order in which they come. Returns the number of the last one. Of the runs
   * each takes one message where another thread runs them: the next one is made meanwhile. Absent where a
   * statement doesn't number rows in their order.
   */
  addInOrder?(runs: Runs): Promise<number>
  /**
   * Announces, before a statement that changes records, how many bytes these have; throws WorkIsLong when others should
   * not wait for that long. Absent where the statement blocks nobody.
   */
  readonly willRewrite?: ((bytes: number) => void) | undefined
  /** Announces that the rest of a read or write is long, and throws WorkIsLong. Absent where that blocks nobody. */
  readonly becomeLong?: ((how?: LongWork) => void) | undefined
  /** Whether nobody waits for the transaction, and it has taken no longer than others should wait for it. Absent where that isn't known. */
  readonly mayDoMore?: (() => boolean) | undefined
  /**
   * Announces whose tables the transaction holds, before it holds anything else, by the base; throws NeedsTurn where
   * others who write to it are in each other's way. Absent where nobody can be.
   */
  readonly willHold?: ((baseId: string) => void) | undefined
  /**
   * Whether a statement costs less that is sent along with the one before, and does no harm where it fails because a table isn't as
   * it is taken for: there is no transaction, or it is run again.
   */
  readonly mayReadAhead?: boolean | undefined
  /**
   * Runs a statement that creates, changes or drops a table, or several with a semicolon after each but the last. They are not
   * kept as prepared statements, because they run once.
   */
  define(sql: string): Promise<void>
}

/**
 * Where in its transaction a statement stands, if that is known: nothing is asked or changed after the last one, and nothing
 * fails. A storage may send the commit along with it.
 */
export type StatementPlace = 'last'

/** Rows that are added to a table in their order, by one statement for each list of values. */
export interface AddedRows {
  /** Adds the rows of one list: bound are `before` and the list. */
  readonly sql: string
  /** What is the same in all rows. */
  readonly before: readonly unknown[]
  /** The values of rows, one row after another in each list; lists of a length. */
  readonly values: readonly (readonly unknown[])[]
}

/** Such rows, which may wait before: see `RowDialect.waiting`. */
export interface Run extends AddedRows {
  /** Adds all rows that wait: bound is `before`. */
  readonly addWaiting: string
  /** How many values a row has. */
  readonly width: number
}

/** Some of them, as they are made. */
export type Runs = Iterable<Run> | AsyncIterable<Run>

/** Rows that were read as far as a size allowed. */
export interface RowBatch {
  readonly rows: readonly (readonly unknown[])[]
  /** The sizes of all of them; see `rowSize`. */
  readonly size: number
  /** Whether there were more rows. */
  readonly isCut: boolean
}

/** The size of a value that is not a text, and of the reference to a text. */
export const valueSize = 8

/** What a row takes in memory, roughly: the characters of its texts, and eight for each value. */
export function rowSize(row: readonly unknown[]): number {
  let size = row.length * valueSize
  for (const value of row) if (typeof value === 'string') size += value.length
  return size
}

/**
 * Why SQL refused a statement, in as much detail as callers handle. `contended`: other transactions are in the way.
 * `outdated`: a table is not as it was when the transaction read what it knows of it. Either way the same work may
 * succeed in a new transaction. `unreachable`: no connection can be opened. `unreadable`: the stored data are damaged,
 * or can't be reached; the operator has to act.
 */
export type SqlFailureKind =
  | 'unique'
  | 'notNull'
  | 'check'
  | 'foreignKey'
  | 'tooLarge'
  | 'full'
  | 'unavailable'
  | 'unreachable'
  | 'unreadable'
  | 'contended'
  | 'outdated'
  | 'other'

/** A statement that the storage refused. Its message is for the log; callers never see it. */
export class SqlFailure extends Error {
  readonly kind: SqlFailureKind

  constructor(kind: SqlFailureKind, message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'SqlFailure'
    this.kind = kind
  }
}

/**
 * Thrown where a read or write turns out to be long: it is rolled back, and started again as a long one. No caller sees
 * this error.
 */
export class WorkIsLong extends Error {
  readonly readsFirst: boolean

  constructor({ readsFirst = false }: LongWork = {}) {
    super('The work takes longer than others should wait for')
    this.readsFirst = readsFirst
    this.name = 'WorkIsLong'
  }
}

/**
 * Thrown where a write is in a base whose writers are in each other's way: it is rolled back, and begun again in its turn.
 * No caller sees this error.
 */
export class NeedsTurn extends Error {
  constructor() {
    super('Those who write there are in each other’s way')
    this.name = 'NeedsTurn'
  }
}

/** Whether the error says that a unique value is taken. */
export function isUniqueFailure(error: unknown): boolean {
  return error instanceof SqlFailure && error.kind === 'unique'
}
