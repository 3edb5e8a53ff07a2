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
