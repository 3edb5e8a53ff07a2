import { limits } from '@gateleg/domain/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planPieces } from './json-pieces.ts'
import { JsonScan } from './json-scan.ts'
import { parseJson, parseJsonInTurns } from './parse-json.ts'

const filler = 'x'.repeat(1_000)
const manyItems = Array.from({ length: 1_000 }, (_, n) => ({
  id: n,
  fields: { a: filler, b: [n] },
}))

/** What the text gives in turns, and how often others had theirs. */
async function inTurns(text: string) {
  let pauses = 0
  const value = await parseJsonInTurns(text, [], {}, async () => void pauses++)
  return { value, pauses }
}

test('[CONTRACT-12] parses the lists of a large object in pieces', async () => {
  const body = { tableId: 't', records: manyItems, name: '"[{,', 7: manyItems, last: [1] }
  const text = JSON.stringify(body)
  const { value, pauses } = await inTurns(text)
  expect(value).toEqual(body)
  expect(JSON.stringify(value)).toBe(text)
  // The scan and the pieces each take so many.
  expect(pauses).toBeGreaterThan((2 * text.length) / limits.jsonPieceLength - 4)
})

test('[CONTRACT-12] leaves members named __proto__ in every piece what they are', async () => {
  const records = manyItems.map((item) => JSON.stringify(item)).join()
  const text = `{"records":[{"__proto__":1},${records},{"a":{"\\u005f_proto__":1}}],"__proto__":[${records}]}`
  const { value } = await inTurns(text)
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test('[CONTRACT-12] takes the last of repeated names, however they are spelt', async () => {
  const records = manyItems.map((item) => JSON.stringify(item)).join()
  for (const name of ['records', '\\u0072ecords', 'r\\u0065cords']) {
    for (const other of ['[]', '1', '[2]', `[${records},3]`]) {
      const text = `{"records":[${records}],"${name}":${other}}`
      expect((await inTurns(text)).value).toEqual(JSON.parse(text))
      const turned = `{"${name}":${other},"records":[${records}]}`
      expect((await inTurns(turned)).value).toEqual(JSON.parse(turned))
    }
  }
})

test('[CONTRACT-12] refuses large text that is malformed anywhere', async () => {
  const records = manyItems.map((item) => JSON.stringify(item)).join()
  const texts = [
    `{"records":[${records},]}`,
    `{"records":[,${records}]}`,
    `{"records":[${records},,${records}]}`,
    `{"records":[${records}}`,
    `{"records":[${records}}}`,
    `{"records":[${records}]`,
    `{"records":[${records}]]`,
    `{"records":[${records}],}`,
    `{"records" [${records}]}`,
    `{records:[${records}]}`,
    `{"records":"a" [${records}]}`,
    `{"records":[${records} ${records}]}`,
    `{"records":[${records}]}{}`,
    `{"a":1}{"records":[${records}]}`,
    `[${records}`,
  ]
  for (const text of texts) await expect(inTurns(text)).rejects.toThrow('must be valid JSON')
})

/** What JSON.parse says, or that it says nothing. */
function parsed(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch {
    return 'malformed'
  }
}

/** Parses in the pieces of the plan, with cuts wherever they can be. */
function parseInPieces(text: string): unknown {
  const scan = new JsonScan(text, {
    depth: 64,
    values: 10_000,
    members: 1_000,
    names: 100,
    textLength: 1_000,
    strings: 100,
    cutLength: 1,
    cutValues: 1_000,
  })
  while (scan.goOn(3));
  const pieces = planPieces(text, scan)
  if (!pieces) return JSON.parse(text)
  const value = JSON.parse(pieces.frame)
  for (const { name, spans } of pieces.lists) {
    for (const [start, end] of spans) {
      const items = JSON.parse(`[${text.slice(start, end)}]`)
      if (items.length === 0) throw new Error('nothing between two commas')
      value[name].push(...items)
    }
  }
  return value
}

test('[CONTRACT-12] always gives in pieces what JSON.parse gives, changed text included', () => {
  const name = fc.constantFrom('a', 'b', 'records', '\\u0061', 'a b', '', '__proto__', '1')
  const value = fc.oneof(
    fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 6 }),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const space = fc.constantFrom('', ' ', '\n\t')
  const member = fc
    .tuple(name, value, space)
    .map(([key, one, gap]) => `${gap}"${key}"${gap}:${gap}${JSON.stringify(one, undefined, gap)}`)
  const object = fc.array(member, { maxLength: 5 }).map((members) => `{${members.join()}}`)
  const change = fc.record({
    at: fc.nat(200),
    removed: fc.nat(2),
    put: fc.constantFrom('', '[', ']', '{', '}', ',', '"', '\\', ':', '1', 'x', ' '),
  })
  fc.assert(
    fc.property(object, fc.array(change, { maxLength: 2 }), (whole, changes) => {
      let text = whole
      for (const { at, removed, put } of changes) {
        text = text.slice(0, at) + put + text.slice(at + removed)
      }
      expect(parsed(() => parseInPieces(text))).toEqual(parsed(() => JSON.parse(text)))
    }),
    { numRuns: 3_000 },
  )
})

test('[CONTRACT-12] refuses what has too much as it does of a whole text', async () => {
  const deep = `{"a":${'['.repeat(limits.jsonDepth)}${']'.repeat(limits.jsonDepth)},"b":"${filler}"}`
  await expect(inTurns(deep)).rejects.toThrow('must be nested at most')
  expect(() => parseJson(deep, [])).toThrow('must be nested at most')
  const many = `{"a":[${'1,'.repeat(1_000)}1]}`
  const most = { values: 1_000 }
  await expect(parseJsonInTurns(many, [], most, async () => {})).rejects.toThrow('1000 values')
})
