import { searchedText, searchPattern } from '@gateleg/testing/arbitraries/search-pattern'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnfitPattern } from './pattern.ts'
import { compilePattern, type Program } from './program.ts'
import { replaceAll } from './replace-all.ts'

function compiled(pattern: string): Program {
  const program = compilePattern(pattern)
  if (program instanceof UnfitPattern) throw new Error(program.reason)
  return program
}

function replace(text: string, pattern: string, replacement: string): string {
  return replaceAll(text, compiled(pattern), replacement, () => {})
}

/** How many steps it takes to find that a pattern has no match, or to replace all. */
function countSteps(text: string, pattern: string): number {
  let count = 0
  replaceAll(text, compiled(pattern), '', (steps) => {
    count += steps
  })
  return count
}

describe('replacing what a pattern matches', () => {
  it('[FORMULA-71] always replaces what JavaScript replaces', () => {
    const replacement = fc.constantFrom('', '-', '[$1|$2]', '<$&>', '$$', '$3$12', '$')
    fc.assert(
      fc.property(searchPattern, searchedText, replacement, (pattern, text, by) => {
        const program = compilePattern(pattern)
        fc.pre(!(program instanceof UnfitPattern))
        // V8 finds \B inside surrogate pairs.
        fc.pre(!(pattern.includes('\\B') && text.includes('😀')))
        expect(replaceAll(text, program, by, () => {})).toBe(
          text.replace(new RegExp(pattern, 'gu'), by),
        )
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['aab', '(a*)*b', 'aab|aa'],
    ['aab', '(a|b*)*', 'aab|b'],
    ['aa', '(|a)+', 'aa|a'],
    ['b', '(a*)+', '|'],
  ])('[FORMULA-71] in %j, (the match of %s)|(its group) is %s', (text, pattern, result) => {
    expect(replace(text, pattern, '$&|$1').startsWith(result)).toBe(true)
    expect(text.replace(new RegExp(pattern, 'u'), '$&|$1').startsWith(result)).toBe(true)
  })

  it.each([
    ['Hello Table', 'H.* ', '', 'Table'],
    ['2024-03-05', '(\\d+)-(\\d+)-(\\d+)', '$3/$2/$1', '05/03/2024'],
    ['aXbX', '(?i)x', '-', 'a-b-'],
    ['ÄÖ', '(?i)ä', 'a', 'aÖ'],
    ['ab', '(?i)[^A]', '-', 'a-'],
    ['a1b22', '\\d{2}', '#', 'a1b#'],
    ['<b><i>', '<.+?>', '', ''],
    ['x{1}', 'x{', '', '1}'],
    ['a.b', 'a\\.b', 'c', 'c'],
    ['abc', '', '-', '-a-b-c-'],
    ['😀😀', '', '-', '-😀-😀-'],
    ['a\tb', '\\t', ' ', 'a b'],
  ])('[FORMULA-70] in %j, %s becomes %j', (text, pattern, replacement, result) => {
    expect(replace(text, pattern, replacement)).toBe(result)
  })

  it.each([
    ['$1', 'b'],
    ['$0$&', 'abab'],
    ['$$1', '$1'],
    ['$2', ''],
    ['$3', '$3'],
    ['$10', 'b0'],
    ['$', '$'],
  ])('[FORMULA-70] puts %s where a match with two groups was', (replacement, result) => {
    expect(replace('ab', 'a(b)(c)?', replacement)).toBe(result)
  })

  it.each([
    '(a*)*b',
    '(a|a)*b',
    '(a|aa)+b',
    '(a?){30}b',
    '(.*)(.*)(.*)x',
    '((a+)+)+b',
    '(?:a+){1,9}b',
  ])('[FORMULA-73] searches for %s in linear time', (pattern) => {
    const { instructions } = compiled(pattern)
    const length = 2_000
    // A match may begin anywhere, so for each character its beginning is followed as well.
    const stepsMax = 2 * (instructions.length + 1) * (length + 1)
    const program = compiled(pattern)
    let count = 0
    replaceAll('a'.repeat(length), program, '', (steps) => {
      count += steps
    })
    expect(count).toBeLessThanOrEqual(stepsMax)
  })

  it('[FORMULA-73] counts each look whether a match may begin', () => {
    const beginnings = 90
    const steps = countSteps(' '.repeat(1_000), `(?:a?){${beginnings - 1}}b`)
    expect(steps).toBeGreaterThanOrEqual((1_000 * beginnings) / 3)
  })

  it('[FORMULA-73] passes quickly over what no match begins with', () => {
    expect(countSteps('a'.repeat(1_000), 'b+')).toBeLessThan(1_010)
  })
})
