import type { Table } from '../tables/table.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { Field } from './field.ts'
import type { TableSchema } from './table-schema.ts'

/** The names that fields of a table have, or had before they were deleted. */
export interface TakenColumnNames {
  /** Column names as callers see them, of living fields. */
  readonly dbFieldNames: ReadonlySet<string>
  /** Physical columns in lower case: those of deleted fields too, and names that no column may have. */
  readonly columnNames: ReadonlySet<string>
}

export interface FieldReader {
  /**
   * The living fields of the table, ready for work with its records. The same object is given for the
   * same schema tag as long as it is remembered.
   */
  schemaOf(table: Table): Promise<TableSchema>
  /** Of a table that is not there yet: what every table has. */
  takenColumnNames(tableId: string): Promise<TakenColumnNames>
}

/** Changes fields together with their physical columns. None of it depends on the number of records. */
export interface FieldRepository extends FieldReader {
  /**
   * Adds a field with its column to a table; `conflict` when its id is taken, by a deleted field too.
   * Cells may be empty until `requireValues`.
   */
  insert(table: Table, field: Field): Promise<void>
  /**
   * Replaces name, description, options and both column names, renaming the column when it changed;
   * the version grows by one.
   */
  update(table: Table, before: Field, after: Field): Promise<void>
  /** Marks fields as deleted. Their columns stay, and take no part in anything until they come back. */
  markDeleted(table: Table, fields: readonly Field[], deletion: Deletion): Promise<void>
  /** Lets the storage refuse empty cells of the field. Every record must have a value already. */
  requireValues(table: Table, field: Field): Promise<void>
}
