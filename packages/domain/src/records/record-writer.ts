import type { Timestamp } from '../clock.ts'
import type { Cell } from '../fields/cell.ts'
import type { PhysicalColumn } from '../schemas/field-repository.ts'
import type { Column, TableSchema } from '../schemas/table-schema.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { NewRecord, StoredRecord } from './stored/stored-record.ts'

/** New values for some cells of some records. */
export interface RecordChange {
  /** The number of the record: the quickest way to it on every storage. */
  readonly autoNumber: number
  /** One value for each column of the change, in the order of the columns. */
  readonly values: readonly (Cell | null)[]
  /** All cells of the record before the change, where they are known: they tell a storage the size of the record. */
  readonly before?: readonly (Cell | null)[]
  /** The size of the stored record in bytes, where that is known, for the same purpose. */
  readonly bytes?: number | undefined
}

/** Who makes or changes records, and when. */
export interface WrittenBy {
  readonly userId: string
  readonly time: Timestamp
  /**
   * Whether this is the last that the transaction does: nothing is read or changed after it, and nothing fails. A storage may
   * commit along with it then.
   */
  readonly isLast?: boolean
}

/** How cells are replaced that no caller wrote. */
export interface CellReplacement {
  /** Columns that are emptied in the same records; none where it is left out. */
  readonly emptied?: readonly PhysicalColumn[]
  /** Whether values only move to another column, so that nobody sees a change: versions stay. */
  readonly keepsVersions?: boolean
  /**
   * Whether the columns are emptied of a record that would become too large for the storage; otherwise such a one is
   * refused. Slower where there are such records, since they are found by trying halves of the changes.
   */
  readonly mayLeaveOut?: boolean
}

/**
 * Writes records, many at a time. The storage itself refuses, with `validation_error`, a value that a unique field has
 * already and an empty cell of a required field, even where that was checked before.
 */
export interface RecordWriter {
  /** Inserts the records, with version 1. Returns their auto numbers, in the order of the records. */
  insert(
    schema: TableSchema,
    records: readonly NewRecord[],
    by: WrittenBy,
  ): Promise<readonly number[]>
  /**
   * Inserts records with the auto numbers that they have. The numbers must ascend and be greater than any that the table
   * has had; records inserted later get greater ones. Records with an entry in `deletions`, by id, are in the trash.
   */
  insertNumbered(
    schema: TableSchema,
    records: readonly StoredRecord[],
    deletions?: ReadonlyMap<string, Deletion>,
  ): Promise<void>
  /** Replaces the values of the columns and raises each record's version by one. All records must exist. */
  update(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    by: WrittenBy,
  ): Promise<void>
  /**
   * Runs a change in which records may exchange unique values. During the change, the unique and required fields of the
   * named records are not checked; afterwards they are checked as usual. The records must not be read during the change,
   * because they are marked as deleted for its time.
   */
  setAside(
    schema: TableSchema,
    autoNumbers: readonly number[],
    change: () => Promise<void>,
  ): Promise<void>
  /**
   * Replaces the values of computed or converted columns. Raises each record's version by one, but keeps who changed it
   * last, and when. Changes records in the trash, too.
   */
  setCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    how?: CellReplacement,
  ): Promise<void>
  /** Moves the records to the trash: marks them as deleted by the operation. */
  markDeleted(schema: TableSchema, recordIds: readonly string[], deletion: Deletion): Promise<void>
  /** Restores those of the records that the operation deleted; others stay as they are. */
  restore(schema: TableSchema, recordIds: readonly string[], operationId: string): Promise<void>
  /** Removes deleted records for good. The table may lie in the trash. */
  purge(
    table: Pick<TableSchema, 'baseId' | 'physicalName'>,
    recordIds: readonly string[],
    operationId: string,
  ): Promise<void>
}
