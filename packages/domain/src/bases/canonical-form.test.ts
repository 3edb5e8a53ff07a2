import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { expect, test } from 'vitest'
import { canonicalPieces, hashBase, toCanonicalJson } from './canonical-form.ts'
import type { CanonicalReader, CanonicalRow } from './canonical-reader.ts'

const secrets = new NodeSecrets('a key of tests')

/** Answers rows of one table, at most so many at a time, and the comments on them. */
function readerOf(
  rows: readonly CanonicalRow[],
  most: number,
  comments: readonly CanonicalRow[] = [],
): CanonicalReader {
  return {
    structure: () => Promise.reject(new Error('is given')),
    records: async ({ after }, take) => {
      const found = rows.filter(({ autoNumber }) => (autoNumber as number) > after).slice(0, take)
      return { rows: found.slice(0, most), isCut: found.length > most }
    },
    comments: async ({ after }, take) => {
      const start = after ? comments.findIndex(({ number }) => number === after.number) + 1 : 0
      return comments.slice(start, start + take)
    },
  }
}

const structure = { tables: [{ id: 'tbl1', name: 'T' }], fields: [], bases: [{ id: 'bse1' }] }

/** The hash as it is defined: links of a chain, each put together whole. */
function chained(rows: readonly CanonicalRow[]): string {
  const pages: (readonly CanonicalRow[])[] = []
  for (let start = 0; start <= rows.length; start += 1_000) {
    pages.push(rows.slice(start, start + 1_000))
  }
  const links: [string, readonly CanonicalRow[]][] = [
    ['bases', structure.bases],
    ['fields', structure.fields],
    ['tables', structure.tables],
    ...pages.map((page): [string, readonly CanonicalRow[]] => ['tbl1', page]),
  ]
  return links.reduce(
    (hash, [kind, link]) =>
      secrets.digest(`${hash}\n${kind}\n${link.map(toCanonicalJson).join('\n')}`),
    '',
  )
}

test.each([0, 1, 999, 1_000, 1_001, 2_000])(
  '[BASE-13] %i records are hashed in links of a thousand, whatever batches they come in',
  async (count) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      autoNumber: index + 1,
      cells: { b: `é ${index}`, a: null },
    }))
    for (const most of [7, 1_000, 5_000]) {
      let asked = 0
      const giveWay = async () => {
        asked++
      }
      const tx = { canonical: readerOf(rows, most), giveWay }
      const { hash, records } = await hashBase(tx, secrets, structure as never)
      expect({ hash, records }).toEqual({ hash: chained(rows), records: count })
      // Whether others should have their turn.
      expect(asked).toBeGreaterThanOrEqual(Math.floor(count / 20))
    }
  },
)

test('[BASE-13] pieces of a row are its text, however deep its values are', () => {
  const inner = { b: [{ z: 1, y: 'é' }], a: null, 10: true, 9: undefined }
  const rows = [{}, { cells: {} }, { id: 'rec1', cells: { ...inner, c: inner }, autoNumber: 1 }]
  for (const row of rows) {
    for (const levels of [0, 1, 2, 5]) {
      expect([...canonicalPieces(row, levels)].join('')).toBe(toCanonicalJson(row))
    }
  }
})

test('[BASE-13] members are sorted at every level, whatever order they come in', () => {
  const sorted = '{"a":[{"b":1,"c":{"d":null,"e":[[{"f":2,"g":3}]]}}],"h":"x"}'
  const value = { a: [{ b: 1, c: { d: null, e: [[{ f: 2, g: 3 }]] } }], h: 'x' }
  expect(toCanonicalJson(value)).toBe(sorted)
  expect(toCanonicalJson({ h: 'x', a: value.a })).toBe(sorted)
  expect(toCanonicalJson({ a: [{ c: value.a[0]?.c, b: 1 }], h: 'x' })).toBe(sorted)
  const turned = { a: [{ b: 1, c: { d: null, e: [[{ g: 3, f: 2 }]] } }], h: 'x' }
  expect(toCanonicalJson(turned)).toBe(sorted)
  expect(toCanonicalJson({ 10: 1, 9: 2 })).toBe('{"9":2,"10":1}')
})

test('[COMMENT-12] comments are a link of their own, if there are any, however many', async () => {
  const giveWay = async () => {}
  for (const count of [1, 49, 50, 51, 100]) {
    const comments = Array.from({ length: count }, (_, index) => ({
      ...{ id: `com${index}`, recordId: 'rec1', number: index + 1 },
    }))
    const tx = { canonical: readerOf([], 10, comments), giveWay }
    const link = comments.map(toCanonicalJson).join('\n')
    const expected = secrets.digest(`${chained([])}\ntbl1 comments\n${link}`)
    expect((await hashBase(tx, secrets, structure as never)).hash).toBe(expected)
  }
})

test('[BASE-13] others have their turn between the cells of a long record', async () => {
  const cells = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`col${index}`, 'x'.repeat(150_000)]),
  )
  const rows = [{ id: 'rec1', autoNumber: 1, cells }]
  let turns = 0
  const giveWay = async () => void turns++
  const tx = { canonical: readerOf(rows, 10), giveWay }
  expect((await hashBase(tx, secrets, structure as never)).hash).toBe(chained(rows))
  expect(turns).toBeGreaterThanOrEqual(20)
})
