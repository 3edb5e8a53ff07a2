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
    const examples = ['K\u212a', 'Å\u212b', 'Ω\u2126'].map(([member = '', looked = '']) => {
      return [[member, 'a'], false, looked] as [string[], boolean, string]
    })
    fc.assert(check, { numRuns: 2_000, examples })
  })

  it('[FORMULA-300] hold of every letter in any case what JavaScript holds', () => {
    const cases = new Map<string, Set<number>>()
    const note = (key: string, code: number) =>
      cases.set(key, (cases.get(key) ?? new Set<number>()).add(code))
    // Nothing of the other planes has cases, but for the first of them.
    for (let code = 0; code < 0x20000; code++) {
      const character = String.fromCodePoint(code)
      if (!/\p{Changes_When_Casemapped}/u.test(character)) continue
      for (const small of [character.toLowerCase(), character.toUpperCase().toLowerCase()]) {
        note(small, code)
      }
    }
    for (const alike of cases.values()) {
      for (const member of alike) {
        const expected = new RegExp(`\\u{${member.toString(16)}}`, 'iu')
        const single = makeSet({ ranges: [[member, member]], ignoresCase: true })
        const ranges: CharacterRange[] = [
          [member, member],
          [0x31, 0x31],
        ]
        const wide = makeSet({ ranges, ignoresCase: true })
        for (const looked of alike) {
          const said = [single.has(looked), wide.has(looked)]
          const isHeld = expected.test(String.fromCodePoint(looked))
          if (said.some((one) => one !== isHeld)) expect.fail(`${member} and ${looked}: ${said}`)
        }
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
