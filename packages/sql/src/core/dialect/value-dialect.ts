import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import { type RawBuilder, sql } from 'kysely'
import type { Place } from './place.ts'
import type { TypedColumn } from './typed-column.ts'

/** How an engine binds and reads the values of columns of user tables. */
export interface ValueDialect {
  /**
   * A value of a column of the type. The type is told where a statement that is kept must take values of the
   * type that the column had: another column may have its name now.
   */
  bind(place: Place, type: DbFieldType): RawBuilder<unknown>
  /**
   * A field's column in the list of what a statement reads. Its type is told where a statement that is
   * kept would fail once the column has another: it fails after others of its transaction, which then
   * run a second time. The table is named where the statement joins others.
   */
  read(column: TypedColumn, table?: string): RawBuilder<unknown>
  /**
   * The characters of a value of the column, roughly, told without reading it; undefined for a column of
   * small values. Only where what a statement finds is sent whole: other engines stop when they have read
   * enough.
   */
  textLength?(column: TypedColumn): RawBuilder<number> | undefined
  /** A text that is another one each time, for the key of a row that is added. */
  readonly unique: RawBuilder<string>
  /** The bytes that the column of the name takes in a record as it is stored; null, or none, where it is empty. */
  storedBytes(name: string): RawBuilder<number | null>
}

/** The column as statements name it: with the table, where one is given. */
export function columnIn(table: string | undefined, name: string): RawBuilder<unknown> {
  return table === undefined ? sql.id(name) : sql.id(table, name)
}
