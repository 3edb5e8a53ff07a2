import { limits } from '@gateleg/domain/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'
import { requireLikeParsed } from './require-like-parsed.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** A text no longer than the nesting that it has can't be told from a flat one by its length. */
const padded = (depth: number) => `{"pad": "${'x'.repeat(500)}", "value": ${nested(depth - 1)}}`

test('[CONTRACT-5] refuses malformed text, and says where', () => {
  for (const text of ['', '{', '{"a":1,}', "{'a':1}", 'NaN', '1 2', '"\n"']) {
    expect(() => parseJson(text, ['filter'])).toThrow('filter: must be valid JSON')
  }
})

test('[CONTRACT-5] takes nesting up to the limit and refuses more', () => {
  for (const write of [nested, padded]) {
    expect(parseJson(write(limits.jsonDepth), [])).toBeTypeOf('object')
    expect(() => parseJson(write(limits.jsonDepth + 1), [])).toThrow('must be nested at most')
  }
})

test('[CONTRACT-5] refuses nesting deep enough to overflow a stack', () => {
  const deep = 1_000_000
  for (const text of [nested(deep), '['.repeat(deep), '{"a":'.repeat(deep)]) {
    expect(() => parseJson(text, [])).toThrow('must be nested at most')
  }
})

test('[CONTRACT-5] counts no brackets in strings, wherever their quotes end', () => {
  const brackets = '['.repeat(500)
  for (const value of [brackets, `\\"${brackets}`, `"${brackets}\\`, `\\\\"${brackets}`]) {
    expect(parseJson(JSON.stringify({ value }), [])).toEqual({ value })
  }
})

test('[CONTRACT-23] leaves members named __proto__ what they are, however they are spelt', () => {
  const texts = [
    '{"__proto__": {"isAdmin": true}, "name": "x"}',
    '{"\\u005f_proto__": {"isAdmin": true}, "name": "x"}',
    '{"_\\u005F\\u0070roto__": {"isAdmin": true}, "name": "x"}',
    '{"constructor": {"prototype": {"isAdmin": true}}, "name": "x"}',
  ]
  for (const text of texts) {
    const [{ deep }] = parseJson(`[{"deep": ${text}}]`, []) as [{ deep: object }]
    expect(JSON.stringify(deep)).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.getPrototypeOf(deep)).toBe(Object.prototype)
    expect(deep).not.toHaveProperty('isAdmin')
  }
  expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false)
})

test('[CONTRACT-5] [CONTRACT-23] always reads what JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      expect(JSON.stringify(parseJson(text, []), undefined, indent)).toBe(text)
    }),
  )
})

test('[CONTRACT-5] holds what somebody else parsed to the same rules', () => {
  const text = '[{"deep":{"__proto__":{"isAdmin":true},"name":"x"}}]'
  const value = JSON.parse(text)
  requireLikeParsed(value, [])
  expect(JSON.stringify(value)).toBe(text)
  expect(() => requireLikeParsed([1, 2, 3], [], { values: 3 })).toThrow('at most')
  requireLikeParsed([1, 2, 3], [], { values: 4 })
  const deep = (levels: number) => JSON.parse(nested(levels))
  requireLikeParsed(deep(limits.jsonDepth), [])
  expect(() => requireLikeParsed(deep(limits.jsonDepth + 1), [])).toThrow('must be nested at most')
})
