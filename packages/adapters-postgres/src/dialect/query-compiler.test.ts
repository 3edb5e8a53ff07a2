import { Place } from '@gateleg/sql/core/place'
import { statementText } from '@gateleg/sql/core/statement-texts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { postgresDialect } from '../dialect.ts'

test('[STORE-77] a place that stands twice in a statement has one number', () => {
  const [a, b] = [new Place(), new Place()]
  const dialect = postgresDialect('any')
  expect(statementText(dialect, sql`select ${a}, ${b}, ${a}`)).toBe('select $1, $2, $1')
  expect(statementText(dialect, sql`select ${b}, ${a}, ${b}`)).toBe('select $1, $2, $1')
})
