import { assert } from '@gateleg/domain/errors'
import { columnOf } from '@gateleg/domain/fields/column-of'
import type { Field } from '@gateleg/domain/fields/field'
import { physicalNameOf, type Table } from '@gateleg/domain/tables/table'
import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../core/database.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import type { SqlSession } from '../core/session.ts'
import { quote } from '../core/statements/quote.ts'
import { isLiving } from './is-living.ts'

type Location = Pick<Table, 'id' | 'baseId' | 'dbTableName' | 'rebuiltName'>

/** Indexes follow a column that is renamed: what is known of them has to, or they would be made anew. */
const renameInIndexes = prepared<{ tableId: string; from: string; to: string }, unknown>(
  (db, value) =>
    db
      .updateTable('table_indexes')
      .set({ definition: sql<string>`replace(definition, ${value('from')}, ${value('to')})` })
      .where('table_id', '=', value('tableId')),
)

/** What indexes of a table that is being rebuilt have behind their names, until it has the place of the other. */
export const suffixOfCopies = '_copy'

/** Whether values of a column may be long; values of all other columns take hardly any room. */
export function mayBeLong({ type }: TypedColumn): boolean {
  return type === 'TEXT' || type === 'JSON'
}

/** The changes that fields cause in their physical table. None of them takes longer with more records. */
export class FieldColumns {
  readonly #session: SqlSession
  readonly #tableId: string
  readonly #baseId: string
  readonly #table: RawBuilder<unknown>
  /** What its indexes have behind their names: another table may have one of each name. */
  readonly #suffix: string

  constructor(session: SqlSession, location: Location) {
    const { id, baseId, rebuiltName } = location
    this.#session = session
    this.#tableId = id
    this.#baseId = baseId
    this.#table = session.dialect.tables.named(baseId, physicalNameOf(location))
    this.#suffix = rebuiltName === null ? '' : suffixOfCopies
  }

  /** Adds a column. No record has a value in it. */
  async add({ name, type }: TypedColumn): Promise<void> {
    const columnType = sql.raw(this.#session.dialect.tables.columnTypes[type])
    await this.#alter(sql`add column ${sql.id(name)} ${columnType}`)
  }

  /** Has the storage refuse a value that another living record has. Empty cells are not in the index. */
  async refuseRepeats(field: Field): Promise<void> {
    const column = required(field)
    const key = this.#session.dialect.tables.uniqueKey(column)
    const where = sql`${isLiving} and ${sql.id(column.name)} is not null`
    await this.#session.define(
      sql`create unique index ${sql.id(this.#indexOf(field))} on ${this.#table} (${key}) where ${where}`,
    )
  }

  /** Takes `refuseRepeats` back. */
  async allowRepeats(field: Field): Promise<void> {
    const index = this.#session.dialect.tables.indexNamed(this.#baseId, this.#indexOf(field))
    await this.#session.define(sql`drop index ${index}`)
  }

  /** Has the storage refuse an empty cell of a living record; there may be none by now. */
  async refuseEmpty(field: Field): Promise<void> {
    const isFilled = sql`${sql.id(required(field).name)} is not null`
    await this.#alter(
      sql`add constraint ${constraintOf(field)} check (${isFilled} or not (${isLiving}))`,
    )
  }

  /** Takes `refuseEmpty` back. */
  async allowEmpty(field: Field): Promise<void> {
    await this.#alter(sql`drop constraint ${constraintOf(field)}`)
  }

  async rename(from: string, to: string): Promise<void> {
    await this.renameAlone(from, to)
    const names = { from: quote(from), to: quote(to) }
    await this.#session.run(renameInIndexes, { tableId: this.#tableId, ...names })
  }

  /** Renames a column of a table of whose indexes nothing is noted. */
  async renameAlone(from: string, to: string): Promise<void> {
    await this.#alter(sql`rename column ${sql.id(from)} to ${sql.id(to)}`)
  }

  #indexOf({ id }: Field): string {
    return `${rulesOf(id).unique}${this.#suffix}`
  }

  async #alter(change: RawBuilder<unknown>): Promise<void> {
    await this.#session.define(sql`alter table ${this.#table} ${change}`)
  }
}

/** The names of what refuses values of a field in its table: the index of repeated ones, and the condition of empty cells. */
export function rulesOf(fieldId: string): { readonly unique: string; readonly required: string } {
  return { unique: `${fieldId}_unique`, required: `${fieldId}_required` }
}

function constraintOf({ id }: Field): RawBuilder<unknown> {
  return sql.id(rulesOf(id).required)
}

function required(field: Field): TypedColumn {
  const column = columnOf(field)
  assert(column, `the field ${field.id} has a column`)
  return column
}
