import { trickyText } from '@gateleg/testing/arbitraries/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCharacters, findCharacters, sliceCharacters } from './code-points.ts'
import { textBytes } from './text-bytes.ts'

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), trickyText(12))

describe('counting characters', () => {
  it('[FORMULA-60] always counts and cuts as a list of characters would', () => {
    const index = fc.integer({ min: -3, max: 15 })
    fc.assert(
      fc.property(anyText, index, index, (text, start, end) => {
        const characters = [...text]
        const from = Math.max(start, 0)
        const expected = characters.slice(from, Math.max(end, from)).join('')
        expect(countCharacters(text)).toBe(characters.length)
        expect(sliceCharacters(text, start, end)).toBe(expected)
      }),
    )
  })

  it('[FORMULA-60] always finds a part where a list of characters holds it', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 2 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 8 })
    fc.assert(
      fc.property(text, part, fc.nat(9), (source, each, from) => {
        const characters = [...source]
        const width = [...each].length
        let expected = -1
        for (let at = Math.min(from, characters.length); at + width <= characters.length; at++) {
          if (characters.slice(at, at + width).join('') !== each) continue
          expected = at
          break
        }
        expect(findCharacters(source, each, from)).toBe(expected)
      }),
    )
  })

  it('[FORMULA-43] always measures text as it is stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(textBytes(text)).toBe(new TextEncoder().encode(text).length)
      }),
    )
  })
})
