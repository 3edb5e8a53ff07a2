import { choiceNames } from '@gateleg/testing/arbitraries/field-options'
import { trickyText } from '@gateleg/testing/arbitraries/text'
import { assertRoundTrips } from '@gateleg/testing/properties/assert-round-trips'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinNames, joinNamesAndLines, splitNames, splitNamesAndLines } from './name-list.ts'

describe('several names in one text', () => {
  it('[FIELD-89] are joined by a comma and a space, quoted where they would be split', () => {
    expect(joinNames(['red', 'light, bright', 'blue'])).toBe('red, "light, bright", blue')
    expect(joinNames(['5" pipe', '"so called"', 'a, "b"'])).toBe(
      '5" pipe, """so called""", "a, ""b"""',
    )
  })

  it('[FIELD-90] are split at commas outside double quotes', () => {
    expect(splitNames('a, b,c ,, "d, e" , f"g')).toEqual(['a', 'b', 'c', 'd, e', 'f"g'])
    expect(splitNames(' , ')).toEqual([])
  })

  it('[FIELD-90] are split at every comma after a quote that is not closed', () => {
    expect(splitNames('"a, b')).toEqual(['"a', 'b'])
    expect(splitNames('"a" b, c')).toEqual(['"a" b', 'c'])
    expect(splitNames(', "a')).toEqual(['"a'])
  })

  it('[FIELD-90] always come back, also where line breaks split too', () => {
    fc.assert(
      fc.property(choiceNames, (names) =>
        assertRoundTrips(names, joinNamesAndLines, splitNamesAndLines),
      ),
    )
    const names = ['a\nb', 'c', '"d\r\n"']
    expect(splitNamesAndLines(joinNamesAndLines(names))).toEqual(names)
  })

  it('[FIELD-90] always come back', () => {
    fc.assert(fc.property(choiceNames, (names) => assertRoundTrips(names, joinNames, splitNames)))
  })

  it('[FIELD-90] are never blank and never hold space at their ends', () => {
    fc.assert(
      fc.property(trickyText(), (text) => {
        for (const name of splitNames(text)) expect(name).toBe(name.trim() || 'a name')
      }),
    )
  })
})
