import type { Field } from '../fields/field.ts'
import type { LinkEnd } from '../fields/link-end.ts'
import type { Table } from '../tables/table.ts'
import type { Deleted, DeletedPage, Deletion } from '../trash/deletion.ts'
import type { Column, TableSchema } from './table-schema.ts'

/** The names that fields of a table have, or had before they were deleted. */
export interface TakenColumnNames {
  /** Column names as callers see them, of living fields. */
  readonly dbFieldNames: ReadonlySet<string>
  /** Physical columns in lower case: those of deleted fields too, and names that no column may have. */
  readonly columnNames: ReadonlySet<string>
}

/** A physical column, by itself. */
export type PhysicalColumn = Pick<Column, 'name' | 'type'>

/** A physical column that no field has any more, and that has values still. */
export interface RetiredColumn extends PhysicalColumn {
  /** Records up to this number have no value in it any more. */
  readonly emptied: number
}

/** A link that records of a table are in, by its end at that table. */
export interface TableLink {
  readonly end: LinkEnd
  /** The table at the other end, in the trash or not. */
  readonly foreignTableId: string
  /** Whether no living field shows it: it is deleted, or has an error, or its table or base lies in the trash. */
  readonly isResting: boolean
  /** Whether there is a place for its pairs: a copy of a link that had an error has none. */
  readonly hasPairs: boolean
}

/** Reads fields. */
export interface FieldReader {
  /**
   * The living fields of the table, ready for work with its records. The same object is given for the
   * same schema tag as long as it is remembered.
   */
  schemaOf(table: Table): Promise<TableSchema>
  /** Of a table that is not there yet: what every table has. */
  takenColumnNames(tableId: string): Promise<TakenColumnNames>
  /** The table of a living field; undefined where there is no such field. */
  tableIdOf(fieldId: string): Promise<string | undefined>
  /**
   * Which of the ids a field has or had, of whichever table, in small letters: a storage may take names for the same whose
   * letters differ in case alone, and those of tables and indexes have ids in them.
   */
  takenIds(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The fields of the table that one operation deleted. */
  deletedOf(tableId: string, operationId: string): Promise<readonly Field[]>
  /** The fields of the table that lie in the trash, by id: a page. */
  deletedIn(tableId: string, page: DeletedPage): Promise<readonly Deleted<Field>[]>
  /** What deleted the field; undefined where it is living, or gone for good. */
  deletionOf(fieldId: string): Promise<Deletion | undefined>
  /** The links that records of the table are in, or were in: those of deleted fields and tables too. */
  linkEndsOf(tableId: string): Promise<readonly TableLink[]>
  /**
   * How many columns the physical table has by the count of the database, which ends somewhere: one that
   * was dropped may count for ever.
   */
  countColumns(table: Pick<TableSchema, 'baseId' | 'physicalName'>): Promise<number>
  /** Those of the columns for which the table has no retired one that is empty and of the type wanted. */
  missingColumns(
    tableId: string,
    columns: readonly PhysicalColumn[],
  ): Promise<readonly PhysicalColumn[]>
  /** The retired columns of the table that are empty and in no index for queries, by name. */
  emptyColumns(tableId: string): Promise<readonly PhysicalColumn[]>
  /** The tables that have so many of them at least, by id. */
  tablesWithEmptyColumns(least: number): Promise<readonly string[]>
  /** The retired columns of the table that have values still, by name. */
  retiredColumns(tableId: string): Promise<readonly RetiredColumn[]>
}

/** Changes fields together with their physical columns. None of it depends on the number of records. */
export interface FieldRepository extends FieldReader {
  /** Whether empty columns can be given other types; else the whole table is copied: see `TableRebuildRepository`. */
  readonly retypes: boolean
  /**
   * Adds a field with its column to a table; `conflict` when its id is taken, by a deleted field too.
   * Cells may be empty until `requireValues`.
   */
  insert(table: Table, field: Field): Promise<void>
  /**
   * Replaces all that can change of a field, renaming its column when both have one and its name
   * changed; the version grows by one.
   */
  update(table: Table, before: Field, after: Field): Promise<void>
  /**
   * Replaces all that can change of fields of any tables, in a few statements; their versions grow by one. Of their
   * columns nothing may change: neither names nor whether there are any.
   */
  updateAll(fields: readonly Field[]): Promise<void>
  /** Notes whether the cells of the fields are being computed; versions stay. */
  setPending(fieldIds: readonly string[], isPending: boolean): Promise<void>
  /** Adds a column to the physical table, without a value in any record. */
  addColumn(table: Table, column: PhysicalColumn): Promise<void>
  /**
   * Gives retired columns that are empty and of the types wanted the names. Returns the columns for which
   * there was none.
   */
  reuseColumns(table: Table, columns: readonly PhysicalColumn[]): Promise<readonly PhysicalColumn[]>
  /**
   * Takes columns out of use: they keep their values under names of their own until they are emptied, and
   * are never removed, which could rewrite every record. They are in no index and under no constraint.
   * Returns them as they are then, in the order in which they were given.
   */
  retireColumns(
    table: Table,
    columns: readonly PhysicalColumn[],
  ): Promise<readonly PhysicalColumn[]>
  /** Notes up to which record retired columns have no values any more; undefined for all of them. */
  noteEmptied(
    tableId: string,
    columnNames: readonly string[],
    emptied: number | undefined,
  ): Promise<void>
  /** Gives empty retired columns the types that they are named with here, where `retypes`. */
  retypeColumns(table: Table, columns: readonly PhysicalColumn[]): Promise<void>
  renameColumn(table: Table, from: string, to: string): Promise<void>
  /** Marks fields as deleted. Their columns stay, and take no part in anything until they come back. */
  markDeleted(table: Table, fields: readonly Field[], deletion: Deletion): Promise<void>
  /** Takes the mark of their deletion from fields, under the names that they are given with; their columns are as they were. */
  restore(table: Table, fields: readonly Field[]): Promise<void>
  /** Removes deleted fields for good; their columns are retired. */
  purge(table: Table, fields: readonly Field[]): Promise<void>
  /** Lets the storage refuse empty cells of the field. Every record must have a value already. */
  requireValues(table: Table, field: Field): Promise<void>
  /** Takes `requireValues` back. */
  allowEmpty(table: Table, field: Field): Promise<void>
  /** Has the storage refuse a value that another living record has. None may be there twice by now. */
  refuseRepeats(table: Table, field: Field): Promise<void>
  /** Takes `refuseRepeats` back. */
  allowRepeats(table: Table, field: Field): Promise<void>
}
