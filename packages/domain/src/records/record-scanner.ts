import type { Lock } from '../access/lock.ts'
import type { Column, TableSchema } from '../schemas/table-schema.ts'
import type { RecordBatch } from './record-batch.ts'

/**
 * What is read of records beside the cells of columns that are named: all; their ids and numbers, or their numbers alone, the
 * rest of them being empty.
 */
export type RecordParts = 'all' | 'keys' | 'numbers'

/** The next records of a walk through a table. */
export interface ScanStep {
  /** Only records with a greater number: that of the last record of the step before. */
  readonly after: number
  readonly take: number
  /** Whether deleted records are in it too; they are not when this is left out. */
  readonly withDeleted?: boolean
  /** How the records are held; not at all when this is left out. */
  readonly lock?: Lock
  /** What is read of them where columns are named; all when this is left out. */
  readonly parts?: RecordParts
  /**
   * Whether each, being held to be changed, comes with the bytes that it takes as it is stored, where the storage would look
   * for them once it is changed.
   */
  readonly withBytes?: boolean
  /** Whether the records are known to be small together, as `nextRange` finds them: they may be read in one go. */
  readonly areSmall?: boolean
}

/** How many living and how many deleted records have a value in a column. */
export interface FilledCount {
  readonly living: number
  readonly deleted: number
}

/**
 * Goes through all records of a table in the order of their numbers. For what works on whole tables
 * (calculations, conversions, copies); whoever goes to the end does it by `scanRecords`. No query takes part:
 * what callers see of a table is a RecordReader's.
 */
export interface RecordScanner {
  /** The records that follow. Where columns are named, no other cells are read: those are null. */
  next(schema: TableSchema, step: ScanStep, columns?: readonly Column[]): Promise<RecordBatch>
  /** How many records there are, with deleted ones where that is said; counting ends at `most`. */
  count(schema: TableSchema, most: number, scope?: 'withDeleted'): Promise<number>
  /**
   * How many records have a value in the column. No more than `most` records are looked at, deleted ones
   * included.
   */
  countFilled(schema: TableSchema, column: Column, most: number): Promise<FilledCount>
  /** The greatest number of a record, deleted ones included; 0 when there never was one. */
  lastNumber(schema: TableSchema): Promise<number>
  /** Whether the table has, or had, more than so many records. Numbers grow: what was seen once needs not be asked again. */
  hasHad(schema: TableSchema, records: number): Promise<boolean>
  /** Says that this will most likely be asked of so many records; see `readAhead` of RecordReader. */
  readAhead(tableId: string, records: number): void
}
