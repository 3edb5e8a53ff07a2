/** The type of the physical column; each storage maps it to its own. */
export const dbFieldTypes = [
  'TEXT',
  'INTEGER',
  'DATETIME',
  'REAL',
  'BLOB',
  'JSON',
  'BOOLEAN',
] as const

/** The type of a physical column. */
export type DbFieldType = (typeof dbFieldTypes)[number]

/** A column that every record has; some field types show one instead of having a column of their own. */
export type SystemColumn =
  | 'autoNumber'
  | 'createdTime'
  | 'lastModifiedTime'
  | 'createdBy'
  | 'lastModifiedBy'
