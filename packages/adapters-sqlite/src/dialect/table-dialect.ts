import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import { limits } from '@gateleg/domain/limits'
import type { TableDialect } from '@gateleg/sql/core/dialect/table-dialect'
import { quote } from '@gateleg/sql/core/statements/quote'
import { columnDefinitions } from '@gateleg/sql/record-tables/column-definitions'
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
  retype: (baseId, dbTableName, columns) => {
    const texts = columns.map(({ name, before, type }) => ({
      before: sql.lit(definitionOf(name, before)),
      after: sql.lit(definitionOf(name, type)),
    }))
    const retyped = texts.reduce(
      (definition, { before, after }) => sql`replace(${definition}, ${before}, ${after})`,
      sql`sql`,
    )
    // Each of them stands there once: else the statement changes nothing, which is refused.
    const areThere = texts.map(
      ({ before }) => sql`length(sql) - length(replace(sql, ${before}, '')) = length(${before})`,
    )
    const isTable = sql`type = 'table' and name = ${sql.lit(nameOf(baseId, dbTableName))}`
    return sql`update sqlite_schema set sql = ${retyped} where ${sql.join([isTable, ...areThere], sql` and `)}`
  },
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

/** A column of a field, as the definition of its table has it: behind those that every table has. */
function definitionOf(name: string, type: DbFieldType): string {
  return `, ${quote(name)} ${columnTypes[type]}`
}

/** There are no schemas: the base's id is part of the name. */
function nameOf(baseId: string, dbTableName: string): string {
  return `${baseId}.${dbTableName}`
}
