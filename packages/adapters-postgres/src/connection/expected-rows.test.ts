import { limits } from '@gateleg/domain/limits'
import { expect, test } from 'vitest'
import { ExpectedRows } from './expected-rows.ts'

const sql = 'select "a", "b" from "t" where "id" = $1 and "user" = $2'

test('[POSTGRES-261] keeps no more of rows than 8 MiB, and the latest', () => {
  expect(limits.keptRowBytes).toBe(8 * 1024 * 1024)
  const rows = new ExpectedRows()
  expect(rows.questionOf(sql)).toBeUndefined()
  rows.noteAnswer(sql, { a: '', b: '' })
  const question = rows.questionOf(sql)
  if (!question) throw new Error('it was answered')
  const keys = Array.from({ length: 20 }, (_, n) => rows.keyOf(question, [`id${n}`, 'user']))
  for (const key of keys)
    rows.keep(key, { row: { a: 'x'.repeat(256 * 1024), b: key }, text: 'x'.repeat(256 * 1024) })
  const kept = keys.filter((key) => rows.find(key))
  expect(kept).toEqual(keys.slice(-7))
})

test('[POSTGRES-260] a question is compared by all of its columns, with its text behind its values', () => {
  const rows = new ExpectedRows()
  rows.noteAnswer(sql, { a: 1, b: null })
  const comparing = rows.questionOf(sql)?.comparing
  expect(comparing).toContain('row("found"."a","found"."b")')
  expect(comparing).toContain('"row"."text" = $3')
})

test('[POSTGRES-265] forgets questions whose tables may have other columns, and their rows', () => {
  const rows = new ExpectedRows()
  const askedOnce = () => {
    rows.noteAnswer(sql, { a: 1, b: null })
    const question = rows.questionOf(sql)
    if (!question) throw new Error('it was answered')
    return rows.keyOf(question, ['id', 'user'])
  }
  const before = askedOnce()
  rows.keep(before, { row: { a: 1 }, text: '(1,)' })
  rows.forgetAll()
  expect(rows.questionOf(sql)).toBeUndefined()
  expect(rows.find(before)).toBeUndefined()
  expect(askedOnce()).not.toBe(before)
})
