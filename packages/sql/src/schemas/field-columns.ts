import { assert } from '@gateleg/domain/errors'
import type { Field } from '@gateleg/domain/fields/field'
import { dbFieldTypeOf } from '@gateleg/domain/fields/field-values'
import type { Table } from '@gateleg/domain/tables/table'
import type { TypedColumn } from '../core/dialect.ts'
import type { SqlSession } from '../core/session.ts'
import { quote, systemColumns } from './record-table.ts'

type Location = Pick<Table, 'baseId' | 'dbTableName'>

/** The physical column of the field; undefined for one that shows a system column. */
export function columnOf(field: Field): TypedColumn | undefined {
  const { columnName } = field
  return columnName === null ? undefined : { name: columnName, type: dbFieldTypeOf(field) }
}

/** What fields do to their physical table. None of it depends on how many records there are. */
export class FieldColumns {
  readonly #session: SqlSession
  readonly #baseId: string
  readonly #table: string

  constructor(session: SqlSession, { baseId, dbTableName }: Location) {
    this.#session = session
    this.#baseId = baseId
    this.#table = session.dialect.recordTable(baseId, dbTableName)
  }

  /** Adds a column. No record has a value in it. */
  async add({ name, type }: TypedColumn): Promise<void> {
    await this.#alter(`add column ${quote(name)} ${this.#session.dialect.columnTypes[type]}`)
  }

  /** Has the storage refuse a value that another living record has. Empty cells are not in the index. */
  async refuseRepeats(field: Field): Promise<void> {
    const column = required(field)
    const key = this.#session.dialect.uniqueKey(column)
    const where = `${isLiving} and ${quote(column.name)} is not null`
    await this.#session.connection.define(
      `create unique index ${quote(indexOf(field))} on ${this.#table} (${key}) where ${where}`,
    )
  }

  /** Takes `refuseRepeats` back. */
  async allowRepeats(field: Field): Promise<void> {
    const index = this.#session.dialect.userIndex(this.#baseId, indexOf(field))
    await this.#session.connection.define(`drop index ${index}`)
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

function indexOf({ id }: Field): string {
  return `${id}_unique`
}

function constraintOf({ id }: Field): string {
  return quote(`${id}_required`)
}

function required(field: Field): TypedColumn {
  const column = columnOf(field)
  assert(column, `the field ${field.id} has a column`)
  return column
}
