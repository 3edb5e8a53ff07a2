import type { RawBuilder, SqlBool } from 'kysely'
import type { Place } from './place.ts'
import type { TypedColumn } from './typed-column.ts'

/** How an engine tests whether a value is in a list that is bound as one value, and how it reads lists in cells. */
export interface ListDialect {
  /** Whether the value of a column of the product's own tables, or what is made of it, is in the list. */
  isIn(
    column: string | RawBuilder<string>,
    values: readonly (string | number)[],
  ): RawBuilder<SqlBool>
  /** Whether the value of a column of a user table is in the list, whose items have the column's type. */
  includes(values: Place, column: TypedColumn): RawBuilder<SqlBool>
  /** Like `includes` for a column with a unique index, which it uses. */
  includesUnique(values: Place, column: TypedColumn): RawBuilder<SqlBool>
  /** The texts of a JSON list as a table of the name in a FROM: each as `value`, its place as `key`. */
  items(list: RawBuilder<unknown>, name: string): RawBuilder<unknown>
  /** Texts by their places as a JSON list, null when there are none; an aggregate. */
  collect(text: RawBuilder<unknown>, place: RawBuilder<unknown>): RawBuilder<unknown>
  /**
   * Values of the rows of a condition as the text of a JSON list, null or of none where there are none; an aggregate, whose
   * order is the same for all of a statement.
   */
  all(value: RawBuilder<unknown>, condition: RawBuilder<unknown>): RawBuilder<unknown>
  /** Numbers with commas between, in the order of the subquery that they are from, null when there are none; an aggregate. */
  join(number: RawBuilder<unknown>): RawBuilder<unknown>
}
