import { assert } from '@gateleg/domain/errors'
import { type RawBuilder, sql } from 'kysely'
import type { TypedColumn } from '../dialect/typed-column.ts'

/**
 * The columns of a table of values that a statement makes in its FROM as `v`. They have names of their own there, by their
 * place: SQLite gives a column of a subquery another name where it is called `true` or `false`, and finds none of that name.
 */
export class RowsOfValues {
  /** What the table is made with. */
  readonly columns: readonly TypedColumn[]
  readonly #byName: ReadonlyMap<string, RawBuilder<unknown>>

  constructor(columns: readonly TypedColumn[]) {
    this.columns = columns.map(({ type }, index) => ({ name: nameAt(index), type }))
    this.#byName = new Map(
      columns.map(({ name }, index) => [name, sql.raw(`v.${nameAt(index)}`)] as const),
    )
  }

  /** The value that a row has for the column. */
  valueOf({ name }: Pick<TypedColumn, 'name'>): RawBuilder<unknown> {
    const value = this.#byName.get(name)
    assert(value, 'a row has values for its own columns alone')
    return value
  }

  /** The values of a row, in the order of the columns. */
  get values(): RawBuilder<unknown> {
    return sql.join([...this.#byName.values()])
  }
}

function nameAt(index: number): string {
  return `value_${index}`
}
