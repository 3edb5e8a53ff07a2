import type { RawBuilder } from 'kysely'
import type { TypedColumn } from './typed-column.ts'

/** How an engine takes many rows of values in one statement. */
export interface RowDialect {
  /** Characters, roughly, of the rows that one statement takes, but for a single row; see `slicesBySize`. */
  readonly lengthPerStatement: number
  /**
   * How many of the remaining rows the next `table` takes: using only a few sizes keeps the number of different
   * statements small.
   */
  perStatement(columns: number, left: number): number
  /**
   * Rows of values as a table of the name in a FROM. Its text depends only on the columns and the `shape` of
   * the number of rows. Its values are those of `bind`.
   */
  table(name: string, columns: readonly TypedColumn[], rows: number): RawBuilder<unknown>
  /**
   * The rows that wait to be added, as a table of the name in a FROM, in the order in which they came. Absent where the
   * connection has no `addInOrder`.
   */
  waiting?(name: string, columns: readonly TypedColumn[]): RawBuilder<unknown>
  /** A number that is the same for all numbers of rows for which `table` gives the same text. */
  shape(rows: number): number
  /**
   * Whether a join with such rows is told between which numbers they lie, where these lie close together: an engine that
   * doesn't look at the rows before it decides how to join may read the whole other table for a few of them.
   */
  readonly areJoinedWithin: boolean
  /** The values of a `table` of so many rows, in the order of their places; JSON is text in the rows. */
  bind(columns: readonly TypedColumn[], rows: readonly (readonly unknown[])[]): unknown[]
}
