import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import { type RawBuilder, sql } from 'kysely'
import type { TypedColumn } from '../core/dialect/typed-column.ts'

/** The columns that every user table has, before those of its fields. */
export const systemColumns = {
  id: { name: '__id', type: 'TEXT' },
  autoNumber: { name: '__auto_number', type: 'INTEGER' },
  createdTime: { name: '__created_time', type: 'DATETIME' },
  lastModifiedTime: { name: '__last_modified_time', type: 'DATETIME' },
  createdBy: { name: '__created_by', type: 'TEXT' },
  lastModifiedBy: { name: '__last_modified_by', type: 'TEXT' },
  version: { name: '__version', type: 'INTEGER' },
  deletionId: { name: '__deletion_id', type: 'TEXT' },
  deletedTime: { name: '__deleted_time', type: 'DATETIME' },
  deletedBy: { name: '__deleted_by', type: 'TEXT' },
} as const satisfies Record<string, TypedColumn>

/** The condition for a record that isn't deleted, and for a pair of records that are linked. */
export const isLiving = sql`${sql.id(systemColumns.deletionId.name)} is null`

/** Those of them that a living record has no value in. */
const emptyInLiving: ReadonlySet<string> = new Set(['deletionId', 'deletedTime', 'deletedBy'])

/**
 * The definitions of these columns and then of those of the fields, with the types of the engine, or with its own
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

/**
 * Names that the column of no field may have, in lower case: those of the columns above, and those that
 * one or another engine has for columns of its own. The same everywhere, so that a base has the same
 * columns on every engine.
 */
export const reservedColumnNames: readonly string[] = [
  ...Object.values(systemColumns).map(({ name }) => name),
  ...['rowid', '_rowid_', 'oid'],
  ...['tableoid', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax'],
]
