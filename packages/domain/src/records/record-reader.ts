import type { Lock } from '../access/lock.ts'
import type { Cell } from '../fields/cell.ts'
import type { Column, ColumnField, SchemaLink, TableSchema } from '../schemas/table-schema.ts'
import type { RecordBatch } from './record-batch.ts'
import type { RecordParts } from './record-scanner.ts'
import type { StoredRecord } from './stored-record.ts'

/** Which records of a table a caller asks for, and how many of them: what a list of records is made of. */
export interface RecordRange {
  /** Only records with a greater number: where the page before ended. */
  readonly after: number
  /** How many of those to skip. */
  readonly skip: number
  readonly take: number
  /** Characters, roughly, at which it ends earlier than at `limits.recordsLength`. */
  readonly length?: number
  /** Those whose cells are read; all where none are named. */
  readonly columns?: readonly Column[] | undefined
  /** What else is read of the records where columns are named; all when this is left out. Most of what a record has is no cell. */
  readonly parts?: RecordParts
}

/** The records that are linked to one and the same record, and what some of their cells are to hold. */
export interface SharedCells {
  /** A link by which each record is linked to one at most, and whose pairs are stored in the base of the records. */
  readonly link: ColumnField & { readonly link: SchemaLink }
  /** The record that they are linked to. */
  readonly foreignId: string
  /** How many records are looked at, at most. */
  readonly most: number
  readonly columns: readonly Column[]
  /** One value for each of the columns. */
  readonly values: readonly (Cell | null)[]
}

/** Records that are to be changed, as lists of one value of each, in the same order. */
export interface RecordsToChange {
  readonly ids: readonly string[]
  readonly autoNumbers: readonly number[]
  /** What each takes as it is stored. */
  readonly bytes: readonly number[]
  /** How many records were looked at. */
  readonly lookedAt: number
}

/** A record that has a value in a column. */
export interface Holder<Value extends Cell = Cell> {
  readonly recordId: string
  readonly value: Value
}

/**
 * Reads records by a query, by their ids or by the value of a cell. Deleted records are absent unless a method says otherwise.
 * To go through all records of a table, see RecordScanner.
 */
export interface RecordReader {
  /**
   * Announces that the record will most likely be read with this lock, before the right to it and the fields of its table are
   * known: a storage over a network may ask for it at once, to save a wait. The table must have been locked before, where it is
   * to be. Never fails.
   */
  readAhead(tableId: string, recordId: string, lock: Lock): void
  /** The living record, locked as is said until the transaction ends; undefined where there is none. */
  find(schema: TableSchema, recordId: string, lock: Lock): Promise<StoredRecord | undefined>
  /**
   * The records of the ids, in the order of their ids; ids without a living record are left out. The batch may end early: see
   * `findRecords`, which goes on. Where columns are named, all other cells are null.
   */
  findAll(
    schema: TableSchema,
    recordIds: readonly string[],
    lock: Lock,
    columns?: readonly Column[],
  ): Promise<RecordBatch>
  /**
   * The same, to change them: locked until the transaction ends, each with the bytes that it takes as it is stored, and with
   * the cells of these columns alone. `parts` says what else of them is read.
   */
  findToChange(
    schema: TableSchema,
    recordIds: readonly string[],
    columns: readonly Column[],
    parts?: Exclude<RecordParts, 'numbers'>,
  ): Promise<RecordBatch>
  /**
   * Of the records linked to one, those whose cells in the columns differ from the values. All that were looked at are locked
   * until the transaction ends. No cell is answered. A list or an object may count as different where a storage keeps its
   * items or members in another order.
   */
  findToShare(schema: TableSchema, shared: SharedCells): Promise<RecordsToChange>
  /** The deleted records of the ids, in the order of their ids, with the cells of these columns alone. The batch may end early. */
  findDeleted(
    schema: TableSchema,
    recordIds: readonly string[],
    columns: readonly Column[],
  ): Promise<RecordBatch>
  /**
   * By id of each deleted record, the id of the operation that deleted it. The table may lie in the trash. With a lock nobody
   * brings the records back until the transaction ends.
   */
  deletionsOf(
    table: Pick<TableSchema, 'baseId' | 'dbTableName'>,
    recordIds: readonly string[],
    lock?: Lock,
  ): Promise<ReadonlyMap<string, string>>
  /** Whether a record of the id lies in the trash. */
  isDeleted(schema: TableSchema, recordId: string): Promise<boolean>
  /** The records of the range, in the order of their numbers. The batch may end early. */
  page(schema: TableSchema, query: RecordRange): Promise<RecordBatch>
  /** For each text that is the value of the column in some record, the first such record by number. The column is of type TEXT. */
  findByText(
    schema: TableSchema,
    column: Column,
    texts: readonly string[],
  ): Promise<readonly Holder<string>[]>
  /** For each value that a record has in the column, which is unique, that record. Values that no record has are left out. */
  findHolders(
    schema: TableSchema,
    column: Column,
    values: readonly Cell[],
  ): Promise<readonly Holder[]>
}
