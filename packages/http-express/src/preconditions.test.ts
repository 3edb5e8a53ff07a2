import { toEntityTag } from '@gateleg/contract/entity-tag'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNoneMatch, parseIfMatch } from './preconditions.ts'

test('[HTTP-17] reads the versions of a list, and any version of a star', () => {
  expect(parseIfMatch(undefined)).toBeUndefined()
  expect(parseIfMatch(' * ')).toBeUndefined()
  expect(parseIfMatch('"v3"')).toEqual([3])
  expect(parseIfMatch('"v3" , "v12"')).toEqual([3, 12])
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
    '"v3.0"',
    '"x,v3"',
    '"v"',
    '*"v3"',
  ]
  for (const header of others) expect([header, parseIfMatch(header)]).toEqual([header, []])
  expect(parseIfMatch('W/"v1", "abc", "v2"')).toEqual([2])
})

test('[HTTP-18] compares weakly where it is about not sending again', () => {
  for (const header of ['*', '"v3"', 'W/"v3"', '"v1", W/"v3"', '"other","v3"']) {
    expect([header, isNoneMatch(header, 3)]).toEqual([header, true])
  }
  for (const header of ['', '"v30"', 'v3', 'W/v3', '"w3"']) {
    expect([header, isNoneMatch(header, 3)]).toEqual([header, false])
  }
})

test('[HTTP-17] always reads the versions that were written', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 2 ** 40 }), { minLength: 1 }), (versions) => {
      expect(parseIfMatch(versions.map(toEntityTag).join(', '))).toEqual(versions)
    }),
  )
})
