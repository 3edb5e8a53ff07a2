import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import type { Table } from '@gateleg/domain/tables/table'
import type { RawBuilder } from 'kysely'
import type { TypedColumn } from './typed-column.ts'

/** A column that a user table has. */
interface StoredColumn {
  readonly name: string
  /** Whether every value takes a few bytes, and as many: numbers, and truth values. */
  readonly is_number: number | boolean
}

/** A column with the type that it is to have, and the one that it has. */
interface RetypedColumn extends TypedColumn {
  readonly before: TypedColumn['type']
}

/** How an engine creates, names and removes user tables, and the schemas in which they lie. */
export interface TableDialect {
  /** The column type of each kind of cell. */
  readonly columnTypes: Readonly<Record<DbFieldType, string>>
  /** The statements that create the schema for the user tables of a base; none where there are no schemas. */
  createSchema(baseId: string): readonly RawBuilder<unknown>[]
  /** Like `createSchema`, where a schema of the name may exist; its tables are dropped. */
  remakeSchema(baseId: string): readonly RawBuilder<unknown>[]
  /** The statements that drop the schema with every table in it. */
  dropSchema(baseId: string): readonly RawBuilder<unknown>[]
  /** A user table, as statements name it. */
  named(baseId: string, dbTableName: string): RawBuilder<unknown>
  /** An index of a user table, as statements name it that drop it. */
  indexNamed(baseId: string, name: string): RawBuilder<unknown>
  /** The statements that make an empty user table with the columns that every record has, and more. */
  create(
    table: Pick<Table, 'id' | 'baseId' | 'dbTableName'>,
    fieldColumns: readonly TypedColumn[],
  ): readonly RawBuilder<unknown>[]
  /**
   * The statement that has numbers of records go on after the one whose place is taken, for an engine that doesn't see for
   * itself which numbers were given.
   */
  continueNumbers?(table: Pick<Table, 'id' | 'baseId'>): RawBuilder<unknown>
  /** The statements that remove a user table with all that was made for it. */
  drop(baseId: string, dbTableName: string, tableId: string): readonly RawBuilder<unknown>[]
  /** Whether removing a user table takes longer for many and long rows. */
  readonly dropsRowByRow: boolean
  /**
   * Whether a table that nobody reads yet is filled and indexed by long statements while others write; else it is filled in many
   * short transactions.
   */
  readonly fillsBesideOthers: boolean
  /** The query for the number of columns of a user table, as the engine counts them for its limit. */
  countColumns(baseId: string, dbTableName: string): RawBuilder<{ count: number | string }>
  /** The query for the current columns of a user table: their names, and whether they can hold nothing but numbers. */
  columns(baseId: string, dbTableName: string): RawBuilder<StoredColumn>
  /**
   * The statement that gives columns without values, of which there is one at least, other types; undefined where that would
   * rewrite the table.
   */
  retype?(
    baseId: string,
    dbTableName: string,
    columns: readonly RetypedColumn[],
  ): RawBuilder<unknown>
  /** How a table is copied while others change it, for an engine in which the columns of a table wear out. */
  readonly copies?: CopyDialect
  /** The indexes that are made for queries. */
  readonly indexes: IndexDialect
  /** The expression of a unique index of the column: the column, or something shorter that is as unique. */
  uniqueKey(column: TypedColumn): RawBuilder<unknown>
}

/** A column of a table that is copied. */
export interface CopiedColumn {
  /** What tells it from all other columns of its table, whatever it is called. */
  readonly number: number
  readonly name: string
  readonly type: string
  /** What tells the table from all others that ever had its name. */
  readonly origin: string
}

/** When a look at all rows of a table began. */
export interface LookBeginning {
  readonly horizon: string
  readonly file: string
}

/** How an engine tells which rows of a table were changed since they were copied, and has a copy take the table's place. */
export interface CopyDialect {
  /** The statement that makes an empty table with a name of its own, whose indexes have the suffix behind their names. */
  create(
    table: Pick<Table, 'id' | 'baseId'>,
    place: { readonly name: string; readonly suffix: string },
    fieldColumns: readonly TypedColumn[],
  ): RawBuilder<unknown>
  /** The query for the columns of a table, in the order in which they were added. */
  columns(baseId: string, name: string): RawBuilder<CopiedColumn>
  /** The kinds of cells by the types of columns, as that query names them. */
  readonly kinds: ReadonlyMap<string, DbFieldType>
  /**
   * The query for the names of a table's indexes and of its conditions, with what they say: of two tables the same where that is
   * about columns of the same names.
   */
  rules(
    baseId: string,
    name: string,
  ): RawBuilder<{ readonly name: string; readonly definition: string }>
  /**
   * The query for whether others made something of a table that would be lost with it, or that keeps it from being removed: such
   * as a view, or a trigger.
   */
  isUsedByOthers(baseId: string, name: string): RawBuilder<{ readonly found: boolean }>
  /**
   * The query for the statements that give a second table what operators set of the first and its indexes: what others may do with
   * it, how the engine looks after it, and what is said of it. The names of the second one's indexes end with the suffix.
   */
  settings(
    baseId: string,
    from: string,
    to: string,
    suffix: string,
  ): RawBuilder<{ readonly statement: string }>
  /** The columns of every row that no two states of a table have in common for one record, and their types. */
  readonly versions: readonly { readonly name: string; readonly type: string }[]
  /**
   * The query for when a look at all rows of a table begins: what `isSince` is asked with later, and what tells the table from one
   * whose rows were all written anew without any having changed.
   */
  lookBegins(baseId: string, name: string): RawBuilder<LookBeginning>
  /**
   * Whether a row is of another state since the look than it was in, as the versions of the row tell: rows of which that isn't so
   * were there then, as they are.
   */
  isSince({ horizon }: LookBeginning): RawBuilder<unknown>
  /** The query for whether others see at once all that a transaction changed. */
  readonly isSeenAtOnce: RawBuilder<{ readonly found: boolean }>
  /** The query for what `isReadAsBefore` is asked with later, of a transaction that is under way. */
  readonly position: RawBuilder<{ readonly position: string }>
  /**
   * The query for whether somebody may still see the state before the transaction of that position, or has been reading the
   * table for long.
   */
  isReadAsBefore(
    position: string,
    baseId: string,
    name: string,
  ): RawBuilder<{ readonly found: boolean }>
  /** The statement after which this transaction fails rather than have others wait for long behind it. */
  readonly beQuick: RawBuilder<unknown>
  renameTable(baseId: string, from: string, to: string): RawBuilder<unknown>
  renameIndex(baseId: string, from: string, to: string): RawBuilder<unknown>
}

/** How an engine creates indexes for queries, and which ones it can create. */
interface IndexDialect {
  /**
   * The keyword that creates and removes an index while others write, outside of a transaction; empty where the engine
   * has none.
   */
  readonly besideOthers: RawBuilder<unknown>
  /** The maximum number of records for which an index is created while writers wait. */
  readonly recordsMax: number
  /** What indexes depend on beside what is said of them: they are made anew when it changes. */
  readonly version: string
  /** The version of Unicode by which texts are folded before they are looked for. */
  readonly unicode: string
  /** Whether an index can hold texts of any length. */
  readonly longTexts: boolean
  /** Whether an index can hold the shown text of a date. */
  readonly localTexts: boolean
  /**
   * Whether it reads an index instead of the table where that has all that is asked: then groups are counted in one. It
   * has to have what tells living records from deleted ones, too.
   */
  readonly areReadAlone: boolean
  /** What follows a column for the direction; an engine may not take the place of empty ones. */
  direction(direction: 'desc nulls last' | 'asc nulls first'): string
  /**
   * The statement that updates the engine's statistics, so that it uses the index: of these columns of fields, or of all where none
   * are given; undefined where that isn't needed.
   */
  look(
    table: RawBuilder<unknown>,
    columns: readonly string[] | undefined,
  ): RawBuilder<unknown> | undefined
}
