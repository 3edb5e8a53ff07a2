import type { Timestamp } from '../clock.ts'
import type { Cell } from '../fields/cell.ts'
import type { PhysicalColumn } from '../schemas/field-repository.ts'
import type { Column, TableSchema } from '../schemas/table-schema.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { NewRecord, StoredRecord } from './stored-record.ts'

/** New values for some cells of some records. */
export interface RecordChange {
  /** The number of the record: the quickest way to it on every storage. */
  readonly autoNumber: number
  /** One value for each column of the change, in its order. */
  readonly values: readonly (Cell | null)[]
  /** All cells of the record before, where they are at hand: a storage needn't look how large it is then. */
  readonly before?: readonly (Cell | null)[]
  /** Bytes that all of the record takes as it is stored, where that was read, for the same purpose. */
  readonly bytes?: number | undefined
}

/** Who makes or changes records, and when. */
export interface WrittenBy {
  readonly userId: string
  readonly time: Timestamp
}

/**
 * Writes records, many at a time. A unique value that is taken, or an empty cell that may not be,
 * is refused by the storage with `validation_error`, whoever checked before.
 */
export interface RecordWriter {
  /** Adds the records in their order, in their first version. Returns their numbers, in that order. */
  insert(
    schema: TableSchema,
    records: readonly NewRecord[],
    by: WrittenBy,
  ): Promise<readonly number[]>
  /**
   * Adds records that have numbers already: in the order of these, each greater than any that the table has had. Later
   * ones get greater numbers. Those with a deletion, by id, lie in the trash.
   */
  insertNumbered(
    schema: TableSchema,
    records: readonly StoredRecord[],
    deletions?: ReadonlyMap<string, Deletion>,
  ): Promise<void>
  /** Replaces the values of the columns; each record's version grows by one. All records exist. */
  update(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    by: WrittenBy,
  ): Promise<void>
  /**
   * Runs changes in which records take over unique values of one another. Until they are made, the values of
   * the records that are named stand in nobody's way, and their required cells may be empty; afterwards they
   * are compared like those of any other. Nothing reads the records meanwhile: they are as if deleted.
   */
  setAside(
    schema: TableSchema,
    autoNumbers: readonly number[],
    change: () => Promise<void>,
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
  /** The same, where cells are only kept in another column than before: versions stay. */
  moveCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    emptied: readonly PhysicalColumn[],
  ): Promise<void>
  /**
   * As `setCells`, but where a storage has no room for all of a record, its cells in the columns are empty.
   * Slower where there are such records: they are looked for.
   */
  setFittingCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    emptied?: readonly PhysicalColumn[],
  ): Promise<void>
  /** Marks the records as deleted. */
  markDeleted(schema: TableSchema, recordIds: readonly string[], deletion: Deletion): Promise<void>
  /** Takes the mark of an operation from the records that it deleted. */
  restore(schema: TableSchema, recordIds: readonly string[], operationId: string): Promise<void>
  /** Removes deleted records for good. The table may lie in the trash. */
  purge(
    table: Pick<TableSchema, 'baseId' | 'dbTableName'>,
    recordIds: readonly string[],
    operationId: string,
  ): Promise<void>
}
