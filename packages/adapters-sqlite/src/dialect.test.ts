import { queryBuilderOf } from '@gateleg/sql/core/database'
import { Place } from '@gateleg/sql/core/dialect/place'
import { statementText } from '@gateleg/sql/core/statements/statement-texts'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sqliteDialect } from './dialect.ts'

const { bind } = sqliteDialect.values

const bindable = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('007', '1e3', '-0', '+1', ' 1', 'null', 'true', '0x10', ''),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constant(null),
)

test('[SQLITE-15] always answers the value that was bound', () => {
  const database = new Database(':memory:')
  database.exec('create table cells (place integer primary key, value)')
  const values = sql.join([new Place(), new Place()].map((place) => bind(place, 'TEXT')))
  const insert = database.prepare(
    statementText(sqliteDialect, sql`insert into cells values (${values})`),
  )
  const find = database.prepare('select value from cells where place = ?').pluck()
  const built = sql`select ${'a value'} as value`.compile(queryBuilderOf(sqliteDialect))
  const echo = database.prepare(built.sql).pluck()
  fc.assert(
    fc.property(bindable, (value) => {
      expect(echo.get(value)).toBe(value)
      const { lastInsertRowid } = insert.run(null, value)
      expect(find.get(lastInsertRowid)).toBe(value)
    }),
  )
  database.close()
})
