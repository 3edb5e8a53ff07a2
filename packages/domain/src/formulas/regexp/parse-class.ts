import type { CharacterRange, SetOptions } from './character-set.ts'
import { parseEscape } from './parse-escape.ts'
import { UnfitPattern } from './pattern.ts'
import type { PatternReader } from './pattern-reader.ts'

/** Reads a class of characters, after its opening bracket. */
export function parseClass(reader: PatternReader): SetOptions {
  const isNegated = reader.takeIf('^')
  const ranges: CharacterRange[] = []
  while (!reader.takeIf(']')) {
    if (reader.isAtEnd) throw new UnfitPattern('a character class has no closing "]"')
    const first = parseMember(reader)
    if (reader.startsWith('-') && !reader.startsWith('-]')) {
      reader.take()
      ranges.push(toRange(first, parseMember(reader)))
    } else {
      ranges.push(...first)
    }
  }
  return { ranges, isNegated }
}

function parseMember(reader: PatternReader): readonly CharacterRange[] {
  if (reader.isAtEnd) throw new UnfitPattern('a character class has no closing "]"')
  if (reader.takeIf('\\b')) return [[8, 8]]
  if (reader.takeIf('\\')) return parseEscape(reader)
  const character = reader.take()
  return [[character, character]]
}

function toRange(from: readonly CharacterRange[], to: readonly CharacterRange[]): CharacterRange {
  const first = singleOf(from)
  const last = singleOf(to)
  if (first === undefined || last === undefined || first > last) {
    throw new UnfitPattern(
      'a range in a character class must go from a character to a later one, as in "a-z"',
    )
  }
  return [first, last]
}

function singleOf(ranges: readonly CharacterRange[]): number | undefined {
  const [range] = ranges
  return ranges.length === 1 && range && range[0] === range[1] ? range[0] : undefined
}
