import { type CharacterRange, complement, digits, spaces, wordCharacters } from './character-set.ts'
import { UnfitPattern } from './pattern.ts'
import type { PatternReader } from './pattern-reader.ts'

const classes: Readonly<Record<string, readonly CharacterRange[]>> = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  s: spaces,
  S: complement(spaces),
}

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 }

const hexadecimal = /x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}/iy

/** Reads what follows a backslash: a class, or a single character. */
export function parseEscape(reader: PatternReader): readonly CharacterRange[] {
  if (reader.isAtEnd)
    throw new UnfitPattern('"\\" stands at the end; to search for it, write "\\\\"')
  const code = reader.takeMatch(hexadecimal)
  if (code) {
    const character = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16)
    return [[character, character]]
  }
  const letter = reader.peek
  const character = reader.take()
  const known = classes[letter]
  if (known) return known
  const control = controls[letter]
  if (control !== undefined) return [[control, control]]
  if (/^[1-9]$/.test(letter)) {
    throw new UnfitPattern(`"\\${letter}", which refers to a group, is not supported`)
  }
  if (/^[a-zA-Z]$/.test(letter)) throw new UnfitPattern(`"\\${letter}" is not supported`)
  return [[character, character]]
}
