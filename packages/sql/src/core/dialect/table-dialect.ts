import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import type { Table } from '@gateleg/domain/tables/table'
import type { RawBuilder } from 'kysely'
import type { TypedColumn } from './typed-column.ts'

/** How an engine makes, names and removes user tables, and the places that they lie in. */
export interface TableDialect {
  /** The column type of each kind of cell. */
  readonly columnTypes: Readonly<Record<DbFieldType, string>>
  /** The statements that make the place for the user tables of a base; none where it needs no place. */
  createSchema(baseId: string): readonly RawBuilder<unknown>[]
  /** The same, where a place of the name may be there, with tables that go. */
  remakeSchema(baseId: string): readonly RawBuilder<unknown>[]
  /** The statements that remove the place with every table in it. */
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
  /** The query for how many columns a user table has, by the count that the engine ends somewhere. */
  countColumns(baseId: string, dbTableName: string): RawBuilder<{ count: number | string }>
  /** The query for the names of the columns that a user table has by now. */
  columnNames(baseId: string, dbTableName: string): RawBuilder<{ name: string }>
  /** The indexes that are made for queries. */
  readonly indexes: IndexDialect
  /** What a unique index of the column is over: the column, or something that is as unique and shorter. */
  uniqueKey(column: TypedColumn): RawBuilder<unknown>
}

/** How an engine makes indexes for queries, and what they can be of. */
export interface IndexDialect {
  /** What has an index made and removed while others write, outside of a transaction; empty where that can't be. */
  readonly besideOthers: RawBuilder<unknown>
  /** The most records of which an index is made while writers wait. */
  readonly recordsMax: number
  /** What indexes depend on beside what is said of them: they are made anew when it changes. */
  readonly version: string
  /** The version of Unicode by which texts are folded before they are looked for. */
  readonly unicode: string
  /** Whether texts of any length can be in an index as they are. */
  readonly longTexts: boolean
  /** Whether what is shown of a date can be in an index. */
  readonly localTexts: boolean
  /**
   * Whether it reads an index instead of the table where that has all that is asked: then groups are counted in one. It
   * has to have what tells living records from deleted ones, too.
   */
  readonly areReadAlone: boolean
  /** What follows a column for the direction; an engine may not take the place of empty ones. */
  direction(direction: 'desc nulls last' | 'asc nulls first'): string
  /** Has the engine look at what there is by now, so that it knows what the index is good for; undefined where it needn't. */
  look(table: RawBuilder<unknown>): RawBuilder<unknown> | undefined
}
