import { toEntityTag } from '@gateleg/contract/entity-tag'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNoneMatch, parseIfMatch } from './preconditions.ts'

test('[HTTP-17] reads the versions of a list, and any version of a star', () => {
  expect(parseIfMatch(undefined)).toBeUndefined()
  expect(parseIfMatch(' * ')).toBeUndefined()
  expect(parseIfMatch('"v3"')).toEqual([3])
  expect(parseIfMatch('"v3" , "v12"')).toEqual([3, 12])
  expect(parseIfMatch('"v3.a-_9Z", "v3.0"')).toEqual([3, 3])
})

test('[HTTP-17] reads no version of weak tags, of foreign tags and of garbage', () => {
  const others = [
    '',
    'W/"v3"',
    '"3"',
    'v3',
    '"v3',
    '"V3"',
    '"v-3"',
    '"v3."',
    '"v3.a b"',
    '"v3.a,b"',
    '"v3.a.b"',
    'W/"v3.a"',
    '"x,v3"',
    '"v"',
    '*"v3"',
  ]
  for (const header of others)
    expect([header, parseIfMatch(header)]).toEqual([header, header === '' ? [] : [0]])
  expect(parseIfMatch('W/"v1", "a,b",, "v2", "v3')).toEqual([0, 0, 2, 0])
})

test('[HTTP-18] compares weakly where it is about not sending again', () => {
  const tag = toEntityTag(3, 'aB-_9')
  for (const header of ['*', tag, `W/${tag}`, `"v1", W/${tag} `, `"other",${tag}`]) {
    expect([header, isNoneMatch(header, tag)]).toEqual([header, true])
  }
  for (const header of ['', '"v3"', '"v3.ab-_9"', '"v30.aB-_9"', 'v3.aB-_9', 'W/v3', `"w${tag}`]) {
    expect([header, isNoneMatch(header, tag)]).toEqual([header, false])
  }
})

test('[HTTP-17] always reads the versions that were written', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 2 ** 40 }), { minLength: 1 }),
      fc.option(fc.stringMatching(/^[\w-]{1,11}$/), { nil: undefined }),
      (versions, hash) => {
        const tags = versions.map((version) => toEntityTag(version, hash))
        expect(parseIfMatch(tags.join(', '))).toEqual(versions)
      },
    ),
  )
})
