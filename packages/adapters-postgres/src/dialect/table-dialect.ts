import { Place } from '@gateleg/sql/core/dialect/place'
import type { TableDialect } from '@gateleg/sql/core/dialect/table-dialect'
import { nameList } from '@gateleg/sql/core/statements/column-lists'
import { quote } from '@gateleg/sql/core/statements/quote'
import { sql } from 'kysely'
import { askedColumns } from './asked-columns.ts'
import { columnTypes } from './column-types.ts'
import { copyDialect } from './copy-dialect.ts'
import { createTable, named, numbersOf, regclassOf } from './create-table.ts'

/** A user table lies in the schema of its base, with a sequence that numbers its records. */
export const tableDialect: TableDialect = {
  columnTypes,
  createSchema: (baseId) => [sql`create schema ${sql.id(baseId)}`],
  remakeSchema: (baseId) => [
    sql`drop schema if exists ${sql.id(baseId)} cascade`,
    sql`create schema ${sql.id(baseId)}`,
  ],
  dropSchema: (baseId) => [sql`drop schema ${sql.id(baseId)} cascade`],
  named,
  indexNamed: named,
  create: ({ id, baseId, dbTableName }, fieldColumns) => {
    return [
      // Owned by no column, because a distributed table can't own one.
      sql`create sequence ${named(baseId, numbersOf(id))}`,
      createTable({ id, baseId }, { name: dbTableName, suffix: '' }, fieldColumns),
    ]
  },
  continueNumbers: ({ id, baseId }) => {
    const numbers = sql.lit(`${quote(baseId)}.${quote(numbersOf(id))}`)
    return sql`select setval(${numbers}::regclass, ${new Place()}::bigint)`
  },
  drop: (baseId, dbTableName, tableId) => [
    sql`drop table ${named(baseId, dbTableName)}`,
    sql`drop sequence ${named(baseId, numbersOf(tableId))}`,
  ],
  dropsRowByRow: false,
  fillsBesideOthers: true,
  // A column that was dropped counts for ever.
  countColumns: (baseId, dbTableName) => {
    const table = regclassOf(baseId, dbTableName)
    return sql`select count(*) as count from pg_attribute where attrelid = ${table} and attnum > 0`
  },
  columns: (baseId, dbTableName) => {
    const table = regclassOf(baseId, dbTableName)
    return sql`select attname::text as name, attlen > 0 as is_number from pg_attribute where attrelid = ${table} and attnum > 0 and not attisdropped`
  },
  copies: copyDialect,
  indexes: {
    besideOthers: sql`concurrently`,
    recordsMax: Number.POSITIVE_INFINITY,
    version: '',
    unicode: process.versions.unicode ?? '',
    longTexts: false,
    localTexts: false,
    areReadAlone: false,
    direction: (direction) => ` ${direction}`,
    // Of what an index makes of columns it looks at nothing unless at all columns.
    look: (table, columns) =>
      columns
        ? sql`analyze ${table} (${nameList([...askedColumns, ...columns.map((name) => ({ name }))])})`
        : sql`analyze ${table}`,
  },
  // An index entry takes some 2,700 bytes at most, a text may take more.
  uniqueKey: ({ name, type }) => (type === 'TEXT' ? sql`md5(${sql.id(name)})` : sql.id(name)),
}
