/**
 * One connection of a storage, inside one transaction. Values are bound, never put into the text.
 * Fails with SqlFailure for what SQL itself refuses, never with an error of the driver's own class.
 */
export interface SqlConnection {
  /** The rows as objects, by column name. */
  all(sql: string, parameters: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /** The rows as arrays, in the order of the columns: cheaper for wide rows. */
  rows(sql: string, parameters: readonly unknown[]): Promise<readonly (readonly unknown[])[]>
  /** Runs a statement that answers no rows. Returns how many rows it changed. */
  run(sql: string, parameters: readonly unknown[]): Promise<number>
  /** Runs a statement that makes, changes or drops a table. It is not kept prepared: none comes twice. */
  define(sql: string): Promise<void>
}

/**
 * Why SQL refused a statement, as far as somebody may want to answer it. `contended`: other
 * transactions are in the way. `outdated`: a table is not as it was when the transaction read what it
 * knows of it. Either way the same work may succeed in a new transaction.
 */
export type SqlFailureKind =
  | 'unique'
  | 'notNull'
  | 'check'
  | 'foreignKey'
  | 'tooLarge'
  | 'full'
  | 'unavailable'
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

/** Whether the error says that a unique value is taken. */
export function isUniqueFailure(error: unknown): boolean {
  return error instanceof SqlFailure && error.kind === 'unique'
}
