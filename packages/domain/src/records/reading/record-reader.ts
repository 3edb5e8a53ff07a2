import type { Lock } from '../../access/lock.ts'
import type { Cell } from '../../fields/cell.ts'
import type { Column, ColumnField, SchemaLink, TableSchema } from '../../schemas/table-schema.ts'
import type { RecordBatch } from '../stored/record-batch.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import type { RecordParts } from './record-scanner.ts'

/** A page of the records of a table, in the order of their auto numbers. */
export interface RecordRange {
  /** Only records with a greater auto number: that of the last record of the page before. */
  readonly after: number
  /** The number of records to skip after that. */
  readonly skip: number
  readonly take: number
  /** The page may end early at about this many characters; by default at `limits.recordsLength`. */
  readonly length?: number
  /** The columns to read; by default all. */
  readonly columns?: readonly Column[] | undefined
  /** With `columns`: which parts of the records besides cells are read; by default all. */
  readonly parts?: RecordParts
}

/** All records linked to one record, with the values that some of their columns, such as a lookup, should have. */
export interface SharedCells {
  /** A link by which each record is linked to one at most, and whose pairs are stored in the base of the records. */
  readonly link: ColumnField & { readonly link: SchemaLink }
  /** The id of the record that they are linked to. */
  readonly foreignId: string
  /** The maximum number of records to look at. */
  readonly most: number
  readonly columns: readonly Column[]
  /** One value for each of the columns. */
  readonly values: readonly (Cell | null)[]
}

/** Records to change, as parallel lists. */
export interface RecordsToChange {
  readonly ids: readonly string[]
  readonly autoNumbers: readonly number[]
  /** The size of each as stored. */
  readonly bytes: readonly number[]
  /** The number of records that were compared. */
  readonly lookedAt: number
}

/** A record that has a value in a column. */
interface Holder<Value extends Cell = Cell> {
  readonly recordId: string
  readonly value: Value
}

/**
 * Reads records by a query, by their ids or by the value of a cell. Deleted records are absent unless a method says otherwise.
 * To go through all records of a table, see RecordScanner.
 */
export interface RecordReader {
  /**
   * Announces that the record will most likely be read with this lock, before access was checked and the fields of the table
   * were read: a storage over a network may send the query at once, to save a wait. If the table is to be locked, lock it
   * before this call. Never throws.
   */
  readAhead(tableId: string, recordId: string, lock: Lock): void
  /** The record with the id, locked as given until the transaction ends; undefined when there is none or it is deleted. */
  find(schema: TableSchema, recordId: string, lock: Lock): Promise<StoredRecord | undefined>
  /**
   * The records with the ids, sorted by id; ids of no record or a deleted one are left out. The batch may end early, see
   * `findRecords`, which reads the rest. With `columns`, all other cells are null.
   */
  findAll(
    schema: TableSchema,
    recordIds: readonly string[],
    lock: Lock,
    columns?: readonly Column[],
  ): Promise<RecordBatch>
  /**
   * As `findAll`, for records that will be changed: they are locked until the transaction ends, and come with their stored
   * size in bytes and the cells of these columns alone. `parts` says what else of them is read.
   */
  findToChange(
    schema: TableSchema,
    recordIds: readonly string[],
    columns: readonly Column[],
    parts?: Exclude<RecordParts, 'numbers'>,
  ): Promise<RecordBatch>
  /**
   * Of the records linked to one, those whose columns don't have the given values. All records that are compared are locked
   * until the transaction ends. No cells are returned. Lists and objects whose items or members are stored in another
   * order may count as different.
   */
  findToShare(schema: TableSchema, shared: SharedCells): Promise<RecordsToChange>
  /** The deleted records with the ids, sorted by id, with the cells of these columns alone. The batch may end early. */
  findDeleted(
    schema: TableSchema,
    recordIds: readonly string[],
    columns: readonly Column[],
  ): Promise<RecordBatch>
  /**
   * The id of the operation that deleted each record, by record id; records that aren't deleted are left out. The table may
   * be in the trash. With a lock, nobody restores the records until the transaction ends.
   */
  deletionsOf(
    table: Pick<TableSchema, 'baseId' | 'physicalName'>,
    recordIds: readonly string[],
    lock?: Lock,
  ): Promise<ReadonlyMap<string, string>>
  /** Whether the record with the id is in the trash. */
  isDeleted(schema: TableSchema, recordId: string): Promise<boolean>
  /** The records of the range, in the order of their auto numbers. The batch may end early. */
  page(schema: TableSchema, query: RecordRange): Promise<RecordBatch>
  /** For each of the texts, the first record by auto number that has it in the column, which must be of type TEXT. */
  findByText(
    schema: TableSchema,
    column: Column,
    texts: readonly string[],
  ): Promise<readonly Holder<string>[]>
  /** For each of the values, the record that has it in the column, which must be unique. Values of no record are left out. */
  findHolders(
    schema: TableSchema,
    column: Column,
    values: readonly Cell[],
  ): Promise<readonly Holder[]>
}
