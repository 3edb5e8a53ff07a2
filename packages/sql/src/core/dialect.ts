import type { Lock } from '@gateleg/domain/access/lock'
import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import type { Table } from '@gateleg/domain/tables/table'
import type { Expression, QueryCompiler, SqlBool } from 'kysely'
import type { SqlConnection } from './connection.ts'

/** A column of a user table: its physical name and what it holds. */
export interface TypedColumn {
  readonly name: string
  readonly type: DbFieldType
}

/** All that one SQL engine says differently from another. Callers ask for a piece, never for a name. */
export interface SqlDialect {
  createQueryCompiler(): QueryCompiler
  /** The schema that holds the product's own tables; undefined where there are no schemas. */
  readonly metadataSchema: string | undefined
  /**
   * What ends a SELECT that must hold the rows of one table; empty where one writer at a time makes
   * holding needless.
   */
  lockClause(lock: Lock, table: string): string
  /** Whether the column's value is among a list that is bound as one value. */
  isIn(column: string, values: readonly string[]): Expression<SqlBool>
  /** What ends a SELECT that holds its rows for update and passes over those that others hold. */
  readonly skipLockedClause: string
  /** Waits until no other transaction holds the name, and holds it until this one ends. */
  claim(connection: SqlConnection, name: string): Promise<void>

  /** The column type of each kind of cell. */
  readonly columnTypes: Readonly<Record<DbFieldType, string>>
  /**
   * The place of the n-th value of a statement, counted from 1. A statement has its places in ascending
   * order: some engines can only count them. The type is told where it is that of a field's column: a
   * statement that is kept takes values of the type that the column had, and another may have its name now.
   */
  placeholder(position: number, type?: DbFieldType): string
  /**
   * A field's column in the list of what a statement reads. Its type is told where a statement that is
   * kept would fail once the column has another: it fails after others of its transaction, which then
   * run a second time.
   */
  readColumn(column: TypedColumn): string
  /**
   * The characters of a value of the column, roughly, told without reading it; undefined for a column of
   * small values. Only where what a statement finds is sent whole: other engines stop when they have read
   * enough.
   */
  textLength?(column: TypedColumn): string | undefined
  /** The statements that make the place for the user tables of a base; none where it needs no place. */
  createUserSchema(baseId: string): readonly string[]
  /** The statements that remove the place with every table in it. */
  dropUserSchema(baseId: string): readonly string[]
  /** A user table, quoted, as statements name it. */
  recordTable(baseId: string, dbTableName: string): string
  /** The statements that make an empty user table with the columns that every record has, and more. */
  createUserTable(
    table: Pick<Table, 'id' | 'baseId' | 'dbTableName'>,
    fieldColumns: readonly TypedColumn[],
  ): readonly string[]
  /** The statements that remove a user table with all that was made for it. */
  dropUserTable(baseId: string, dbTableName: string, tableId: string): readonly string[]
  /**
   * The statement that removes some rows of a user table, bound to how many, before it is removed; absent
   * where that takes no longer for many rows.
   */
  emptySome?(table: string): string
  /** The query for how many columns a user table has, by the count that the engine ends somewhere. */
  countColumns(baseId: string, dbTableName: string): string
  /** An index of a user table, quoted, as statements name it that drop it. */
  userIndex(baseId: string, name: string): string
  /** A condition on a list that is bound as one value, the n-th of the statement. */
  isInList(column: TypedColumn, position: number): string
  /** What a unique index of the column is over: the column, or something that is as unique and shorter. */
  uniqueKey(column: TypedColumn): string
  /** As `isInList`, for a column with a unique index, which it uses. */
  isInUniqueList(column: TypedColumn, position: number): string
  /**
   * Whether records are inserted by a statement each: quicker where a statement makes no trip. The
   * numbers that they get then follow one another.
   */
  readonly insertsOneByOne: boolean
  /** Characters, roughly, of the rows that one statement takes, but for a single row; see `slicesBySize`. */
  readonly lengthPerStatement: number
  /** How many of the rows that are left the next `rowsTable` takes: few sizes make few statements. */
  rowsPerStatement(columns: number, left: number): number
  /**
   * Rows of values as a table of the name in a FROM, its text depending only on the columns and the
   * number of rows. Placeholders are counted from `position`.
   */
  rowsTable(name: string, columns: readonly TypedColumn[], rows: number, position: number): string
  /** The texts of a JSON list as a table of the name in a FROM: each as `value`, its place as `key`. */
  listItems(list: string, name: string): string
  /** Texts by their places as a JSON list, null when there are none; an aggregate. */
  listOf(value: string, place: string): string
  /** The values of a `rowsTable` of so many rows, in the order of its placeholders; JSON is text in the rows. */
  bindRows(columns: readonly TypedColumn[], rows: readonly (readonly unknown[])[]): unknown[]
}
