import { withLimits } from '@gateleg/testing/with-limits'
import { SqliteQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
import { Place } from '../dialect/place.ts'
import type { SqlDialect } from '../dialect/sql-dialect.ts'
import { StatementTexts, statementText } from './statement-texts.ts'

function newDialect(): SqlDialect {
  return {
    createQueryCompiler: () => new SqliteQueryCompiler(),
    values: {},
  } as unknown as SqlDialect
}

test('[STORE-76] compiles a statement once for each table and dialect', () => {
  const built: string[] = []
  const dialects = [newDialect(), newDialect()] as const
  const ask = (dialect: SqlDialect, table: string, key: string) =>
    new StatementTexts(dialect, table).of(key, () => {
      built.push(`${table} ${key}`)
      return sql`select ${sql.id(key)} from ${sql.id(table)}`
    })
  for (let turn = 0; turn < 2; turn++) {
    expect(ask(dialects[0], 'a', 'x')).toBe('select "x" from "a"')
    expect(ask(dialects[0], 'a', 'y')).toBe('select "y" from "a"')
    expect(ask(dialects[0], 'b', 'x')).toBe('select "x" from "b"')
    expect(ask(dialects[1], 'a', 'x')).toBe('select "x" from "a"')
  }
  expect(built).toEqual(['a x', 'a y', 'b x', 'a x'])
})

test('[STORE-76] forgets texts beyond the bytes that they may take', async () => {
  await withLimits({ statementTextBytes: 1_000 }, async () => {
    const texts = new StatementTexts(newDialect(), 'a')
    let built = 0
    const ask = (key: string) =>
      texts.of(key, () => {
        built++
        return sql`select ${sql.id(key.repeat(100))}`
      })
    for (const key of ['1', '2', '3', '4', '5', '5', '1']) ask(key)
    expect(built).toBe(6)
  })
})

test('[STORE-77] refuses to remember a statement with a value', () => {
  const dialect = newDialect()
  expect(statementText(dialect, sql`select ${new Place()}`)).toBe('select ?')
  expect(() => statementText(dialect, sql`select ${new Place()}, ${7}`)).toThrow('has places')
})
