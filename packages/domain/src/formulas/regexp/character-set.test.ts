import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CharacterRange, makeSet } from './character-set.ts'
import { compilePattern } from './program.ts'

/** Letters with cases of many kinds, and characters without. */
const letters = [
  ...'aAkKsSzZ09_[`{@ äÄßẞøØ',
  ...'ςσΣµμΜβϐΒ',
  ...'дДᲁǆǅǄ\u212a\u212bå',
  '𐐨',
  '𐐀',
  '😀',
]

describe('sets of characters', () => {
  it('[FORMULA-300] always hold in any case what JavaScript holds with the flags i and u', () => {
    const letter = fc.constantFrom(...letters)
    const check = fc.property(
      fc.array(letter, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      letter,
      (members, isNegated, looked) => {
        const codes = members.map((member) => member.codePointAt(0) ?? 0)
        const ranges = codes.map((code): CharacterRange => [code, code])
        const source = codes.map((code) => `\\u{${code.toString(16)}}`).join('')
        const expected = new RegExp(`[${isNegated ? '^' : ''}${source}]`, 'iu').test(looked)
        const set = makeSet({ ranges, isNegated, ignoresCase: true })
        expect(set.has(looked.codePointAt(0) ?? 0)).toBe(expected)
      },
    )
    fc.assert(check, { numRuns: 2_000 })
  })

  it('[FORMULA-300] of a single character hold what its own cases say, whichever it is', () => {
    // Nothing of the other planes has cases, but for the first of them.
    for (let code = 0; code < 0x20000; code++) {
      const character = String.fromCodePoint(code)
      for (const text of [character.toLowerCase(), character.toUpperCase()]) {
        const other = text.codePointAt(0) ?? 0
        if (other === code || text.length > character.length) continue
        const set = makeSet({ ranges: [[other, other]], ignoresCase: true })
        if (!set.has(code)) expect.fail(`${text} doesn't match ${character}`)
      }
    }
  })

  it('[FORMULA-300] hold letters of a range in any case', () => {
    const set = makeSet({ ranges: [[0x61, 0x7a]], ignoresCase: true })
    expect([...'azAZ'].every((letter) => set.has(letter.charCodeAt(0)))).toBe(true)
    expect([...'@[`{0'].some((letter) => set.has(letter.charCodeAt(0)))).toBe(false)
  })

  it('[FORMULA-301] take about as long to make for any case as for one', () => {
    const letters = 'a'.repeat(1_990)
    /** The shortest of some times, since the machine may have had other work in the others. */
    const timeOf = (pattern: string) => {
      const times = Array.from({ length: 20 }, () => {
        const start = performance.now()
        compilePattern(pattern)
        return performance.now() - start
      })
      return Math.min(...times)
    }
    expect(timeOf(`(?i)${letters}`)).toBeLessThan(8 * timeOf(letters))
  })
})
