import { Place } from '@gateleg/sql/core/dialect/place'
import { statementText } from '@gateleg/sql/core/statements/statement-texts'
import { createQueryId, type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { postgresDialect } from '../dialect.ts'
import { queryDialect } from './query-dialect.ts'

test('[STORE-77] a place that stands twice in a statement has one number', () => {
  const [a, b] = [new Place(), new Place()]
  const dialect = postgresDialect('any')
  expect(statementText(dialect, sql`select ${a}, ${b}, ${a}`)).toBe('select $1, $2, $1')
  expect(statementText(dialect, sql`select ${b}, ${a}, ${b}`)).toBe('select $1, $2, $1')
})

test('[POSTGRES-25] a list that stands twice in a statement is sent once', () => {
  const compiler = postgresDialect('any').createQueryCompiler()
  const [a, b] = [['x'], ['x']]
  const compiled = compiler.compileQuery(
    sql`select ${a}, ${b}, ${a}, ${'x'}, ${'x'}`.toOperationNode(),
    createQueryId(),
  )
  expect(compiled.sql).toBe('select $1, $2, $1, $3, $4')
  expect(compiled.parameters).toEqual([a, b, 'x', 'x'])
})

test('[POSTGRES-25] the changes of a time zone are sent once, however many fields are shown by its clocks', () => {
  const formatting = { date: 'YYYY', time: 'None', timeZone: 'Asia/Tokyo' } as const
  const shown = (name: string) => queryDialect.shownDate(sql.ref(name), formatting)
  const compiler = postgresDialect('any').createQueryCompiler()
  const count = (statement: RawBuilder<unknown>) =>
    compiler.compileQuery(statement.toOperationNode(), createQueryId()).parameters.length
  expect(count(sql`select ${shown('a')}, ${shown('b')}`)).toBe(count(sql`select ${shown('a')}`))
})
