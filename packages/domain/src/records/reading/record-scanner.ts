import type { Lock } from '../../access/lock.ts'
import type { Column, TableSchema } from '../../schemas/table-schema.ts'
import type { RecordBatch } from '../stored/record-batch.ts'

/**
 * What is read of records besides the cells of the given columns: everything, their ids and auto numbers (`keys`), or
 * their auto numbers alone. What is not read is empty.
 */
export type RecordParts = 'all' | 'keys' | 'numbers'

/** One step of a scan through a table. */
export interface ScanStep {
  /** Only records with a greater auto number: that of the last record of the step before. */
  readonly after: number
  /** Only records with no greater auto number; a database finds them more surely where it is told. */
  readonly until?: number
  readonly take: number
  /** Whether deleted records are included; by default, no. */
  readonly withDeleted?: boolean
  /** How the records are locked; by default not at all. */
  readonly lock?: Lock
  /** With columns: which parts of the records besides cells are read; by default all. */
  readonly parts?: RecordParts
  /**
   * Whether each record, locked to be changed, comes with its stored size in bytes, on storages that need it for the
   * change.
   */
  readonly withBytes?: boolean
  /** Whether the records are known to be small altogether, as `nextRange` finds them: they may be read at once. */
  readonly areSmall?: boolean
}

/** The numbers of records that have a value in a column, by whether they are deleted. */
export interface FilledCount {
  readonly living: number
  readonly deleted: number
}

/**
 * Scans all records of a table in the order of their auto numbers, for work on whole tables (calculations, conversions,
 * copies); use it by `scanRecords` to scan to the end. It knows no queries: see RecordFinder for these.
 */
export interface RecordScanner {
  /** The next records. With `columns`, no other cells are read: those are null. */
  next(schema: TableSchema, step: ScanStep, columns?: readonly Column[]): Promise<RecordBatch>
  /** The number of records, by default without deleted ones; counting stops at `most`. */
  count(schema: TableSchema, most: number, scope?: 'withDeleted'): Promise<number>
  /**
   * The number of records that have a value in the column. Looks at no more than `most` records, deleted ones
   * included.
   */
  countFilled(schema: TableSchema, column: Column, most: number): Promise<FilledCount>
  /** The greatest auto number, deleted records included; 0 when the table never had a record. */
  lastNumber(schema: TableSchema): Promise<number>
  /** Whether the table has or had more than so many records. Once true it stays true, so it may be cached. */
  hasHad(schema: TableSchema, records: number): Promise<boolean>
  /** Announces a likely call of `hasHad` with this number; see `readAhead` of RecordReader. */
  readAhead(tableId: string, records: number): void
}
