import type { Lock } from '../access/lock.ts'
import type { Timestamp } from '../clock.ts'
import type { Cell } from '../fields/cell.ts'
import type { PhysicalColumn } from '../schemas/field-repository.ts'
import type { Column, TableSchema } from '../schemas/table-schema.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { NewRecord, StoredRecord } from './stored-record.ts'

/** Which records of a table to list, in the order of their numbers. */
export interface RecordPage {
  /** Only records with a greater number: where the page before ended. */
  readonly after: number
  /** How many of those to pass over. */
  readonly skip: number
  readonly take: number
  /** Whether deleted records are in it too; they are not when this is left out. */
  readonly withDeleted?: boolean
  /** How the records are held; not at all when this is left out. */
  readonly lock?: Lock
  /** Characters, roughly, at which it ends earlier than at `limits.recordsLength`. */
  readonly length?: number
}

/** Records that were read as far as their size allowed: `limits.recordsLength`. */
export interface RecordBatch {
  /** One at least, where there is one. */
  readonly records: readonly StoredRecord[]
  /** What they take, roughly, as `limits.recordsLength` counts. */
  readonly size: number
  /** Whether it ends before it has as many as were asked for, though there are more. */
  readonly isCut: boolean
}

/** Records by their numbers: those after one, up to and with another. */
export interface NumberRange {
  readonly after: number
  readonly until: number
}

/** New values for some cells of some records. */
export interface RecordChange {
  /** The number of the record: the quickest way to it on every storage. */
  readonly autoNumber: number
  /** One value for each column of the change, in its order. */
  readonly values: readonly (Cell | null)[]
}

/**
 * Deleted records are answered as absent everywhere here, unless it is said. Where columns are named, no
 * other cells are read: those are null.
 */
export interface RecordReader {
  find(schema: TableSchema, recordId: string, lock: Lock): Promise<StoredRecord | undefined>
  /** Those of the records that there are, in the order of their ids; see `findRecords`. */
  findAll(
    schema: TableSchema,
    recordIds: readonly string[],
    lock: Lock,
    columns?: readonly Column[],
  ): Promise<RecordBatch>
  /** Holds the records where the page says how; see `scanRecords`. */
  page(schema: TableSchema, page: RecordPage, columns?: readonly Column[]): Promise<RecordBatch>
  /** How many records there are, with deleted ones where that is said; counting ends at `most`. */
  count(schema: TableSchema, most: number, scope?: 'withDeleted'): Promise<number>
  /** Whether two records have the same value in the column. */
  hasRepeats(schema: TableSchema, column: Column): Promise<boolean>
  /** Whether a record has no value in the column. */
  hasEmpty(schema: TableSchema, column: Column): Promise<boolean>
  /** The greatest number of a record, deleted ones included; 0 when there never was one. */
  lastNumber(schema: TableSchema): Promise<number>
  /** The first record, by number, for each of the texts that is a record's cell in the column, one of TEXT. */
  findByText(
    schema: TableSchema,
    column: Column,
    texts: readonly string[],
  ): Promise<readonly { readonly recordId: string; readonly value: string }[]>
  /** Of the values, those that a record has in the column, with the record's id. */
  findHolders(
    schema: TableSchema,
    column: Column,
    values: readonly Cell[],
  ): Promise<readonly { readonly recordId: string; readonly value: Cell }[]>
}

/**
 * Works on many records at a time. A unique value that is taken, or an empty cell that may not be,
 * is refused by the storage with `validation_error`, whoever checked before.
 */
export interface RecordRepository extends RecordReader {
  /** Adds the records in their order. Returns their numbers, in that order. */
  insert(schema: TableSchema, records: readonly NewRecord[]): Promise<readonly number[]>
  /** Replaces the values of the columns; each record's version grows by one. All records exist. */
  update(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    by: { readonly userId: string; readonly time: Timestamp },
  ): Promise<void>
  /**
   * Replaces the values of the columns where they follow from others, or are read anew in another form:
   * each record's version grows by one, who changed it last and when stays. Deleted records are changed too.
   * Other columns are emptied in the same records.
   */
  setCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    emptied?: readonly PhysicalColumn[],
  ): Promise<void>
  /**
   * The same, but where a storage has no room for all of a record, its cells in the columns are empty.
   * Slower where there are such records: they are looked for.
   */
  setFittingCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    emptied?: readonly PhysicalColumn[],
  ): Promise<void>
  /**
   * Puts one text for another in the cells of a column of the records of the range, in lists item by
   * item, in one statement; null takes the text away, and a list that has nothing left is empty. Of
   * deleted records too. Returns the ids of the living records that changed; their versions grow by one.
   */
  replaceTexts(
    schema: TableSchema,
    column: Column,
    replacements: ReadonlyMap<string, string | null>,
    range: NumberRange,
  ): Promise<readonly string[]>
  /**
   * Copies the values of a column into another one of its type, deleted records included; the versions of
   * those that have a value in one of the two grow by one.
   */
  copyColumn(schema: TableSchema, from: Column, to: Column, range: NumberRange): Promise<void>
  /**
   * Empties columns, one at least, in the records of the range, deleted ones too; the versions of those that
   * had a value grow by one.
   */
  emptyColumns(
    schema: TableSchema,
    columns: readonly PhysicalColumn[],
    range: NumberRange,
  ): Promise<void>
  /** Gives the records of the range the value, deleted ones too; their versions grow by one. */
  fill(schema: TableSchema, column: Column, value: Cell, range: NumberRange): Promise<void>
  /** Marks the records as deleted. */
  markDeleted(schema: TableSchema, recordIds: readonly string[], deletion: Deletion): Promise<void>
}
