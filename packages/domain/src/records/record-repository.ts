import type { Lock } from '../access/access-repository.ts'
import type { Timestamp } from '../clock.ts'
import type { Cell } from '../fields/field-type.ts'
import type { Column, TableSchema } from '../fields/table-schema.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { NewRecord, StoredRecord } from './stored-record.ts'

/** Which records of a table to list, in the order of their numbers. */
export interface RecordPage {
  /** Only records with a greater number: where the page before ended. */
  readonly after: number
  /** How many of those to pass over. */
  readonly skip: number
  readonly take: number
}

/** New values for some cells of some records. */
export interface RecordChange {
  readonly recordId: string
  /** One value for each column of the change, in its order. */
  readonly values: readonly (Cell | null)[]
}

/** Deleted records are answered as absent everywhere here. */
export interface RecordReader {
  find(schema: TableSchema, recordId: string, lock: Lock): Promise<StoredRecord | undefined>
  /** Those of the records that there are, in no particular order. */
  findAll(
    schema: TableSchema,
    recordIds: readonly string[],
    lock: Lock,
  ): Promise<readonly StoredRecord[]>
  page(schema: TableSchema, page: RecordPage): Promise<readonly StoredRecord[]>
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
  /** Gives every record the value, deleted ones too; versions stay. */
  fill(schema: TableSchema, column: Column, value: Cell): Promise<void>
  /** Marks the records as deleted. */
  markDeleted(schema: TableSchema, recordIds: readonly string[], deletion: Deletion): Promise<void>
}
