import { hasCases, holdsForSomeCase, ordinaryForm, otherForms } from './letter-cases.ts'

/** Characters from the first to the last, both included, by code point. */
export type CharacterRange = readonly [first: number, last: number]

/** A set of characters, by code point. */
export interface CharacterSet {
  has(character: number): boolean
}

const characterMax = 0x10ffff

export const digits: readonly CharacterRange[] = [[0x30, 0x39]]
export const wordCharacters: readonly CharacterRange[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
export const spaces: readonly CharacterRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
export const lineEnds: readonly CharacterRange[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]

/** All characters that are in none of the ranges, in ranges that are apart and in order. */
export function complement(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const gaps: CharacterRange[] = []
  let next = 0
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (first > next) gaps.push([next, first - 1])
    next = Math.max(next, last + 1)
  }
  if (next <= characterMax) gaps.push([next, characterMax])
  return gaps
}

/** Whether one of the ranges, which are apart and in order, holds the character. */
function isInOrdered(ranges: readonly CharacterRange[], character: number): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    const [first, last] = ranges[middle] as CharacterRange
    if (character < first) high = middle
    else if (character > last) low = middle + 1
    else return true
  }
  return false
}

export interface SetOptions {
  readonly ranges: readonly CharacterRange[]
  /** The set holds what the ranges do not. */
  readonly isNegated?: boolean
  readonly ignoresCase?: boolean
}

/** Makes the set of the characters in the ranges, which may overlap and stand in any order. */
export function makeSet(options: SetOptions): CharacterSet {
  const ordered = complement(complement(options.ranges))
  const [only] = ordered
  if (!only || ordered.length > 1 || options.isNegated) return makeWideSet(ordered, options)
  const [first, last] = only
  if (!options.ignoresCase) return makeRange(first, last)
  return first === last ? makeLetter(first) : makeWideSet(ordered, options)
}

/** Most sets of a pattern are a single character, so these hold on to nothing else. */
function makeRange(first: number, last: number): CharacterSet {
  return { has: (character) => character >= first && character <= last }
}

/** A letter in any case; what has no cases is a character like any other. */
function makeLetter(letter: number): CharacterSet {
  if (!hasCases(letter)) return makeRange(letter, letter)
  const ordinary = ordinaryForm(letter)
  const isSame = (character: number) => character === letter || character === ordinary
  return { has: (character) => holdsForSomeCase(character, isSame) }
}

function makeWideSet(
  plain: readonly CharacterRange[],
  { isNegated = false, ignoresCase = false }: SetOptions,
): CharacterSet {
  const ordered = ignoresCase ? withOrdinaryForms(plain) : plain
  const has = (character: number) => isInOrdered(ordered, character)
  const test = ignoresCase
    ? (character: number) => holdsForSomeCase(character, has) !== isNegated
    : (character: number) => has(character) !== isNegated
  const ascii = asciiIn(ordered, ignoresCase)
  return {
    has: (character) =>
      character < asciiLength ? isMarked(ascii, character) !== isNegated : test(character),
  }
}

/** The ranges with the ordinary forms of those letters in them that have another: what they match, these do. */
function withOrdinaryForms(ordered: readonly CharacterRange[]): readonly CharacterRange[] {
  const added: CharacterRange[] = []
  for (const [form, ordinary] of otherForms) {
    if (isInOrdered(ordered, form)) added.push([ordinary, ordinary])
  }
  return added.length === 0 ? ordered : complement(complement([...ordered, ...added]))
}

const asciiLength = 128

/** The difference of a small ASCII letter and its capital. */
const caseBit = 0x20

/** One bit for each ASCII character: a pattern may have thousands of sets, of which few are searched for. */
function asciiIn(ordered: readonly CharacterRange[], ignoresCase: boolean): Uint32Array {
  const marks = new Uint32Array(asciiLength / 32)
  const mark = (character: number) => {
    const word = character >> 5
    marks[word] = (marks[word] ?? 0) | (1 << (character & 31))
  }
  for (const [first, last] of ordered) {
    for (let character = first; character <= last && character < asciiLength; character++) {
      mark(character)
      if (ignoresCase && isAsciiLetter(character)) mark(character ^ caseBit)
    }
  }
  return marks
}

function isMarked(marks: Uint32Array, character: number): boolean {
  return (((marks[character >> 5] ?? 0) >>> (character & 31)) & 1) === 1
}

function isAsciiLetter(character: number): boolean {
  const small = character | caseBit
  return small >= 0x61 && small <= 0x7a
}
