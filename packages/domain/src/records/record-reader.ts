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
  /** How many of those to pass over. */
  readonly skip: number
  readonly take: number
  /** Characters, roughly, at which it ends earlier than at `limits.recordsLength`. */
  readonly length?: number
  /** Those whose cells are read; all where none are named. */
  readonly columns?: readonly Column[] | undefined
  /** What else is read of the records where columns are named; all when this is left out. Most of what a record has is no cell. */
  readonly parts?: RecordParts
}

/** The records that a link leads to one record, and what some of their cells are to hold. */
export interface SharedCells {
  /** A link that leads each record to one at most, and whose pairs lie in the base of the records. */
  readonly link: ColumnField & { readonly link: SchemaLink }
  /** The record to which it leads. */
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
 * Reads records by what is asked of them: by a query, by their ids, by what stands in a cell. Deleted
 * records are absent. What goes through all records of a table is a RecordScanner's.
 */
export interface RecordReader {
  /**
   * Says that the record will most likely be read, and held as the lock says, before it is known whether it may be, and how the
   * table is made now: a storage may ask for it at once, to save a wait. What locks the table must be asked for before. It never
   * fails.
   */
  readAhead(tableId: string, recordId: string, lock: Lock): void
  /** The living record, held as the lock says until the transaction ends. */
  find(schema: TableSchema, recordId: string, lock: Lock): Promise<StoredRecord | undefined>
  /**
   * Those of the records that there are, in the order of their ids; see `findRecords`. Where columns are
   * named, no other cells are read: those are null.
   */
  findAll(
    schema: TableSchema,
    recordIds: readonly string[],
    lock: Lock,
    columns?: readonly Column[],
  ): Promise<RecordBatch>
  /**
   * The same, to change them: held until the transaction ends, each with the bytes that it takes, and with the cells of
   * these columns alone; where it is said, nothing else of them but their ids and numbers.
   */
  findToChange(
    schema: TableSchema,
    recordIds: readonly string[],
    columns: readonly Column[],
    parts?: Exclude<RecordParts, 'numbers'>,
  ): Promise<RecordBatch>
  /**
   * Those of the records linked to one whose cells in the columns hold something else than the values, held until the
   * transaction ends like all that were looked at. No cell is read. Lists and objects count as something else where a
   * storage keeps them in another order.
   */
  findToShare(schema: TableSchema, shared: SharedCells): Promise<RecordsToChange>
  /** Those of the records that are deleted, in the order of their ids, with the cells of these columns alone. */
  findDeleted(
    schema: TableSchema,
    recordIds: readonly string[],
    columns: readonly Column[],
  ): Promise<RecordBatch>
  /** Which operation deleted those of the records that are, by id. The table may lie in the trash. */
  deletionsOf(
    table: Pick<TableSchema, 'baseId' | 'dbTableName'>,
    recordIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>
  /** Whether a record of the id lies in the trash. */
  isDeleted(schema: TableSchema, recordId: string): Promise<boolean>
  /** The records that answer the query, in the order of their numbers. */
  page(schema: TableSchema, query: RecordRange): Promise<RecordBatch>
  /** The first record, by number, for each of the texts that is a record's cell in the column, one of TEXT. */
  findByText(
    schema: TableSchema,
    column: Column,
    texts: readonly string[],
  ): Promise<readonly Holder<string>[]>
  /** Of the values, those that a record has in the column, a unique one, with the record's id. */
  findHolders(
    schema: TableSchema,
    column: Column,
    values: readonly Cell[],
  ): Promise<readonly Holder[]>
}
