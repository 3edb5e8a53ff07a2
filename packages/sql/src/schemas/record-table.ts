import type { Cell } from '@gateleg/domain/fields/cell'
import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import type { TypedColumn } from '../core/dialect.ts'

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

/** Those of them that a living record has no value in. */
const emptyInLiving: ReadonlySet<string> = new Set(['deletionId', 'deletedTime', 'deletedBy'])

/**
 * The definitions of those columns and then of the fields' own, by the types of the engine; its own
 * definitions for those of them that it says otherwise.
 */
export function columnDefinitions(
  types: Readonly<Record<DbFieldType, string>>,
  definitions: Partial<Record<keyof typeof systemColumns, string>>,
  fieldColumns: readonly TypedColumn[],
): string {
  const ofEveryTable = Object.entries(systemColumns).map(([key, { name, type }]) => {
    const usual = emptyInLiving.has(key) ? types[type] : `${types[type]} not null`
    return `${quote(name)} ${definitions[key as keyof typeof systemColumns] ?? usual}`
  })
  const ofFields = fieldColumns.map(({ name, type }) => `${quote(name)} ${types[type]}`)
  return [...ofEveryTable, ...ofFields].join(', ')
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

/** The identifier in double quotes. Any text is safe in it. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/** The cell as a value to bind: JSON as text, all else as it is. */
export function encodeCell(cell: Cell | null, type: DbFieldType): unknown {
  return cell !== null && type === 'JSON' ? JSON.stringify(cell) : cell
}

/** The cell in a value that was read. */
export function decodeCell(value: unknown, type: DbFieldType): Cell | null {
  if (value === null || value === undefined) return null
  if (type === 'JSON') return JSON.parse(value as string) as Cell
  if (type === 'BOOLEAN') return Boolean(value)
  return value as Cell
}
