import { limits } from '@gateleg/domain/limits'
import type { TableDialect } from '@gateleg/sql/core/dialect/table-dialect'
import { columnDefinitions } from '@gateleg/sql/schemas/column-definitions'
import { sql } from 'kysely'

const columnTypes: TableDialect['columnTypes'] = {
  TEXT: 'text',
  INTEGER: 'integer',
  DATETIME: 'text',
  REAL: 'real',
  BLOB: 'blob',
  JSON: 'text',
  BOOLEAN: 'integer',
}

const ownDefinitions = {
  id: sql`text not null unique`,
  autoNumber: sql`integer primary key autoincrement`,
}

const named: TableDialect['named'] = (baseId, dbTableName) => sql.id(nameOf(baseId, dbTableName))

/** All user tables lie in the one file. */
export const tableDialect: TableDialect = {
  columnTypes,
  createSchema: () => [],
  remakeSchema: () => [],
  dropSchema: () => [],
  named,
  indexNamed: (_baseId, name) => sql.id(name),
  create: ({ baseId, dbTableName }, fieldColumns) => {
    const columns = columnDefinitions(columnTypes, ownDefinitions, fieldColumns)
    return [sql`create table ${named(baseId, dbTableName)} (${columns})`]
  },
  drop: (baseId, dbTableName) => [sql`drop table ${named(baseId, dbTableName)}`],
  dropsRowByRow: true,
  fillsBesideOthers: false,
  countColumns: (baseId, dbTableName) =>
    sql`select count(*) as count from pragma_table_xinfo(${sql.lit(nameOf(baseId, dbTableName))})`,
  columns: (baseId, dbTableName) =>
    sql`select name, lower(type) in ('integer', 'real') as is_number from pragma_table_xinfo(${sql.lit(nameOf(baseId, dbTableName))})`,
  // To drop a column rewrites the table, to add one does not.
  retype: (columns) =>
    columns.flatMap(({ name, type }) => [
      sql`drop column ${sql.id(name)}`,
      sql`add column ${sql.id(name)} ${sql.raw(columnTypes[type])}`,
    ]),
  retypesAtOnce: 1,
  indexes: {
    besideOthers: sql``,
    get recordsMax() {
      return limits.recordsIndexedOnSqlite
    },
    // Letters that are new to a version of Unicode are folded in another way than before.
    version: `unicode ${process.versions.unicode}`,
    unicode: process.versions.unicode ?? '',
    longTexts: true,
    localTexts: true,
    areReadAlone: true,
    direction: (direction) => (direction === 'desc nulls last' ? ' desc' : ''),
    look: () => undefined,
  },
  uniqueKey: ({ name }) => sql.id(name),
}

/** There are no schemas: the base's id is part of the name. */
function nameOf(baseId: string, dbTableName: string): string {
  return `${baseId}.${dbTableName}`
}
