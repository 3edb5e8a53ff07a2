import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { UnfitPattern } from './pattern.ts'
import { compilePattern } from './program.ts'

function reasonOf(pattern: string): string | undefined {
  const program = compilePattern(pattern)
  return program instanceof UnfitPattern ? program.reason : undefined
}

describe('making a pattern ready', () => {
  it.each([
    ['(a)\\1', '"\\1", which refers to a group, is not supported'],
    ['(?=a)', 'groups that begin with "(?" are not supported, except "(?:...)"'],
    ['(?<!a)b', 'groups that begin with "(?" are not supported, except "(?:...)"'],
    ['(?<name>a)', 'groups that begin with "(?" are not supported, except "(?:...)"'],
    ['\\p{L}', '"\\p" is not supported'],
    ['\\k<a>', '"\\k" is not supported'],
    ['a)', 'a ")" has no opening "("; to search for it, write "\\)"'],
    ['(a', 'a group has no closing ")"'],
    ['[a', 'a character class has no closing "]"'],
    ['[a-', 'a character class has no closing "]"'],
    ['[z-a]', 'a range in a character class must go from a character to a later one, as in "a-z"'],
    [
      '[a-\\d]',
      'a range in a character class must go from a character to a later one, as in "a-z"',
    ],
    ['a{3,2}', '{3,2} has its numbers in the wrong order'],
    ['*a', '"*" repeats nothing; to search for it, write "\\*"'],
    ['{2}', '"{" repeats nothing; to search for it, write "\\{"'],
    ['a**', 'a repetition such as "*" can not follow another one'],
    ['^*', '"^", "$", "\\b" and "\\B" can not be repeated'],
    ['a\\', '"\\" stands at the end; to search for it, write "\\\\"'],
  ])('[FORMULA-72] refuses %s', (pattern, reason) => {
    expect(reasonOf(pattern)).toBe(reason)
  })

  it.each([
    'a{1001}',
    '(((((a{9}){9}){9}){9}){9}){9}',
    '((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+',
    '(?:(?:(?:){999999}){999999}){999999}',
    'a'.repeat(limits.patternLength + 1),
    '('.repeat(1_000) + ')'.repeat(1_000),
    `[${'a'.repeat(limits.patternLength)}]`,
  ])('[FORMULA-72] refuses one that is too much (%#)', (pattern) => {
    expect(reasonOf(pattern)).toMatch(/more than|too long|nested at most/)
  })

  it('[FORMULA-72] refuses groups that are nested more than 50 levels deep', () => {
    expect(limits.patternDepth).toBe(50)
    const nested = (depth: number, open: string) => `${open.repeat(depth)}a${')'.repeat(depth)}`
    const reason = 'groups can be nested at most 50 levels deep'
    for (const open of ['(', '(?:']) {
      expect(reasonOf(nested(50, open))).toBeUndefined()
      expect(reasonOf(nested(51, open))).toBe(reason)
    }
    expect(reasonOf('(a)'.repeat(51))).toBeUndefined()
  })

  it.each(['', '(?i)'])('[FORMULA-306] holds the same characters once (%j in front)', (flag) => {
    const program = compilePattern(flag + 'ab.\\w[ac][^ac]'.repeat(100))
    if (program instanceof UnfitPattern) throw new Error(program.reason)
    const sets = program.instructions.flatMap((one) => (one.kind === 'characters' ? one.set : []))
    expect(sets).toHaveLength(600)
    expect(new Set(sets).size).toBe(6)
  })

  it('[FORMULA-72] never fails on any text, nor makes a greater program than allowed', () => {
    const unit = fc.constantFrom(...'ab1(){}[]|*+?^$.\\-,:=!<dwsbBDkpux&')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (pattern) => {
        const program = compilePattern(pattern)
        if (program instanceof UnfitPattern) expect(program.reason).not.toBe('')
        else expect(program.instructions.length).toBeLessThanOrEqual(limits.patternInstructions)
      }),
      { numRuns: 2_000 },
    )
  })
})
