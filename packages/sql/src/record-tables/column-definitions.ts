import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import { type RawBuilder, sql } from 'kysely'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import { systemColumns } from './system-columns.ts'

/** The columns of every table that a living record has no value in. */
const emptyInLiving: ReadonlySet<string> = new Set(['deletionId', 'deletedTime', 'deletedBy'])

/**
 * The definitions of the columns of every table and then of those of the fields, with the types of the engine, or with its own
 * definitions where it has some.
 */
export function columnDefinitions(
  types: Readonly<Record<DbFieldType, string>>,
  own: Partial<Record<keyof typeof systemColumns, RawBuilder<unknown>>>,
  fieldColumns: readonly TypedColumn[],
): RawBuilder<unknown> {
  const ofEveryTable = Object.entries(systemColumns).map(([key, { name, type }]) => {
    const usual = sql.raw(emptyInLiving.has(key) ? types[type] : `${types[type]} not null`)
    return sql`${sql.id(name)} ${own[key as keyof typeof systemColumns] ?? usual}`
  })
  const ofFields = fieldColumns.map(
    ({ name, type }) => sql`${sql.id(name)} ${sql.raw(types[type])}`,
  )
  return sql.join([...ofEveryTable, ...ofFields])
}
