/**
 * One connection of a storage, inside one transaction. Values are bound, never put into the text.
 * Fails with SqlFailure for what SQL itself refuses, never with an error of the driver's own class.
 */
export interface SqlConnection {
  /** The rows as objects, by column name. */
  all(sql: string, parameters: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /** The rows as arrays, in the order of the columns: cheaper for wide rows. */
  rows(sql: string, parameters: readonly unknown[]): Promise<readonly (readonly unknown[])[]>
  /**
   * The same, but ends before the row with which all would be larger than `size` (see `rowSize`), and after so
   * many rows, where that is said; the first row is always there.
   */
  rowsWithin(
    sql: string,
    parameters: readonly unknown[],
    size: number,
    most?: number,
  ): Promise<RowBatch>
  /** Runs a statement that answers no rows. Returns how many rows it changed. */
  run(sql: string, parameters: readonly unknown[]): Promise<number>
  /** Runs the same once for each of the rows of values, in their order: on another thread, with one trip. */
  runEach(sql: string, rows: readonly (readonly unknown[])[]): Promise<void>
  /**
   * Is told, before a statement that changes records, how many bytes they have; absent where that holds nobody
   * up. Throws WorkIsLong when that is more than others should wait for.
   */
  readonly willRewrite?: ((bytes: number) => void) | undefined
  /**
   * Is told that a read or write is long before it is; absent where that holds nobody up. Throws WorkIsLong.
   */
  readonly becomeLong?: (() => void) | undefined
  /** Runs a statement that makes, changes or drops a table. It is not kept prepared: none comes twice. */
  define(sql: string): Promise<void>
}

/** Rows that were read as far as a size allowed. */
export interface RowBatch {
  readonly rows: readonly (readonly unknown[])[]
  /** The sizes of all of them; see `rowSize`. */
  readonly size: number
  /** Whether there was a further row. */
  readonly isCut: boolean
}

/** The size of a value that is no text, and of the place of one that is. */
export const valueSize = 8

/** What a row takes in memory, roughly: the characters of its texts, and eight for each value. */
export function rowSize(row: readonly unknown[]): number {
  let size = row.length * valueSize
  for (const value of row) if (typeof value === 'string') size += value.length
  return size
}

/**
 * Why SQL refused a statement, as far as somebody may want to answer it. `contended`: other
 * transactions are in the way. `outdated`: a table is not as it was when the transaction read what it
 * knows of it. Either way the same work may succeed in a new transaction. `unreachable`: no connection is to be had. `unreadable`: what is stored
 * is damaged, or can't be reached; somebody has to see to it.
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

/** Thrown where a read or write turns out to be a long one: it is undone, and begun again as one. Nobody else sees it. */
export class WorkIsLong extends Error {
  constructor() {
    super('The work takes longer than others should wait for')
    this.name = 'WorkIsLong'
  }
}

/** Whether the error says that a unique value is taken. */
export function isUniqueFailure(error: unknown): boolean {
  return error instanceof SqlFailure && error.kind === 'unique'
}
