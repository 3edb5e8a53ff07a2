import { assert } from '@gateleg/domain/errors'
import { type Field, typeOf } from '@gateleg/domain/fields/field'
import type { Table } from '@gateleg/domain/tables/table'
import type { TypedColumn } from './dialect.ts'
import type { SqlSession } from './session.ts'
import { quote, systemColumns } from './user-table.ts'

type Location = Pick<Table, 'baseId' | 'dbTableName'>

/** The physical column of the field; undefined for one that shows a system column. */
export function columnOf(field: Field): TypedColumn | undefined {
  const { columnName, options } = field
  if (columnName === null) return undefined
  return { name: columnName, type: typeOf(field).dbFieldType(options) }
}

/** What fields do to their physical table. None of it depends on how many records there are. */
export class FieldColumns {
  readonly #session: SqlSession
  readonly #table: string

  constructor(session: SqlSession, { baseId, dbTableName }: Location) {
    this.#session = session
    this.#table = session.dialect.userTable(baseId, dbTableName)
  }

  /** Adds the field's column. Its cells may be empty for now. */
  async add(field: Field): Promise<void> {
    const column = columnOf(field)
    if (!column) return
    const type = this.#session.dialect.columnTypes[column.type]
    await this.#alter(`add column ${quote(column.name)} ${type}`)
    if (field.unique) await this.refuseRepeats(field)
  }

  /** Has the storage refuse a value that another living record has. Empty cells are not in the index. */
  async refuseRepeats(field: Field): Promise<void> {
    const column = required(field)
    const key = this.#session.dialect.uniqueKey(column)
    const where = `${isLiving} and ${quote(column.name)} is not null`
    const index = quote(`${field.id}_unique`)
    await this.#session.connection.define(
      `create unique index ${index} on ${this.#table} (${key}) where ${where}`,
    )
  }

  /** Has the storage refuse an empty cell of a living record; there may be none by now. */
  async refuseEmpty(field: Field): Promise<void> {
    const isFilled = `${quote(required(field).name)} is not null`
    await this.#alter(
      `add constraint ${constraintOf(field)} check (${isFilled} or not (${isLiving}))`,
    )
  }

  /** Takes `refuseEmpty` back. */
  async allowEmpty(field: Field): Promise<void> {
    await this.#alter(`drop constraint ${constraintOf(field)}`)
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#alter(`rename column ${quote(from)} to ${quote(to)}`)
  }

  async #alter(change: string): Promise<void> {
    await this.#session.connection.define(`alter table ${this.#table} ${change}`)
  }
}

const isLiving = `${quote(systemColumns.deletionId.name)} is null`

function constraintOf({ id }: Field): string {
  return quote(`${id}_required`)
}

function required(field: Field): TypedColumn {
  const column = columnOf(field)
  assert(column, `the field ${field.id} has a column`)
  return column
}
