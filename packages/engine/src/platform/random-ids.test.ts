import { type IdKind, idPrefixes } from '@gateleg/domain/ids/id-prefixes'
import { expect, test } from 'vitest'
import { RandomIds } from './random-ids.ts'

test('[ENGINE-1] an id is the prefix of its kind and 16 letters and digits', () => {
  const ids = new RandomIds()
  for (const kind of Object.keys(idPrefixes) as IdKind[]) {
    expect(ids.next(kind)).toMatch(new RegExp(`^${idPrefixes[kind]}[0-9A-Za-z]{16}$`))
  }
  expect(ids.choice()).toMatch(/^cho[0-9A-Za-z]{8}$/)
  expect(ids.revision()).toMatch(/^[0-9A-Za-z]{16}$/)
})

test('[ENGINE-1] 100,000 ids differ, and use every letter and digit about as often', () => {
  const ids = new RandomIds()
  const made = new Set<string>()
  const counts = new Map<string, number>()
  for (let i = 0; i < 100_000; i++) {
    const id = ids.next('record')
    made.add(id)
    for (const character of id.slice(3)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  expect(made.size).toBe(100_000)
  expect(counts.size).toBe(62)
  const fair = (100_000 * 16) / 62
  // 1.6 million draws stray from their mean by about 0.6 %: 5 % never happens to a fair source.
  for (const count of counts.values()) expect(Math.abs(count - fair)).toBeLessThan(fair * 0.05)
})

test('[ENGINE-1] ids made together differ, begin alike, and come in their order', () => {
  const ids = new RandomIds()
  const made = ids.many('record', 20_000)
  expect(new Set(made).size).toBe(20_000)
  expect(made.toSorted()).toEqual(made)
  for (const id of made) expect(id).toMatch(/^rec[0-9A-Za-z]{16}$/)
  expect(new Set(made.map((id) => id.slice(0, 9))).size).toBe(1)
  expect(ids.many('record', 2)[0]?.slice(0, 9)).not.toBe(made[0]?.slice(0, 9))
  expect(ids.many('record', 0)).toEqual([])
})
