import { Place } from '@gateleg/sql/core/dialect/place'
import { statementText } from '@gateleg/sql/core/statements/statement-texts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sqliteDialect } from '../dialect.ts'

test('[STORE-77] a place stands once in a statement, since SQLite counts them', () => {
  const place = new Place()
  expect(statementText(sqliteDialect, sql`select ${place}, ${new Place()}`)).toBe('select +?, +?')
  expect(statementText(sqliteDialect, sql`select ${place}`)).toBe('select +?')
  expect(() => statementText(sqliteDialect, sql`select ${place}, ${place}`)).toThrow('stands once')
})
