import type { TableDialect } from '@gateleg/sql/core/dialect/table-dialect'

/** The types of columns. */
export const columnTypes: TableDialect['columnTypes'] = {
  // By code point, whatever the locale of the database is.
  TEXT: 'text collate "C"',
  INTEGER: 'bigint',
  DATETIME: 'timestamptz(3)',
  REAL: 'double precision',
  BLOB: 'bytea',
  JSON: 'jsonb',
  BOOLEAN: 'boolean',
}

/** The types of values that are bound: without a collation, which belongs to a column. */
export const valueTypes: TableDialect['columnTypes'] = { ...columnTypes, TEXT: 'text' }
