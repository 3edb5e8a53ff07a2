import { withLimits } from '@gateleg/testing/with-limits'
import { SqliteQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SqlDialect } from '../dialect/sql-dialect.ts'
import { Given, keptStatement, valuesToBind } from './kept-statement.ts'

function newDialect(): SqlDialect {
  return { createQueryCompiler: () => new SqliteQueryCompiler() } as unknown as SqlDialect
}

test('[STORE-370] compiles a statement once for each key, and each time without one', () => {
  const dialect = newDialect()
  const built: (string | undefined)[] = []
  const ask = (key: string | undefined, value: number) =>
    keptStatement(dialect, key, () => {
      built.push(key)
      return sql`select ${value}, ${new Given(1)}, ${new Given(0)}, ${new Given(1)}`
    })
  expect(ask('a', 7).text).toBe('select ?, ?, ?, ?')
  expect(valuesToBind(ask('a', 7), ['x', 'y'])).toEqual([7, 'y', 'x', 'y'])
  expect(valuesToBind(ask('a', 7), ['z', null])).toEqual([7, null, 'z', null])
  expect(valuesToBind(ask('b', 8), ['x', 'y'])).toEqual([8, 'y', 'x', 'y'])
  ask(undefined, 9)
  ask(undefined, 9)
  expect(built).toEqual(['a', 'b', undefined, undefined])
  keptStatement(newDialect(), 'a', () => {
    built.push('elsewhere')
    return sql`select 1`
  })
  expect(built.at(-1)).toBe('elsewhere')
})

test('[STORE-370] forgets statements beyond the bytes that they may take', async () => {
  await withLimits({ keptStatementBytes: 2_000 }, async () => {
    const dialect = newDialect()
    let built = 0
    const ask = (key: string) =>
      keptStatement(dialect, key, () => {
        built++
        return sql`select ${key.repeat(50)}`
      })
    for (const key of ['1', '2', '3', '4', '5', '5', '1']) ask(key)
    expect(built).toBe(6)
  })
})
