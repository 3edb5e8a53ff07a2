import { limits } from '../../limits.ts'
import { lineEnds, makeSet, type SetOptions } from './character-set.ts'
import { parseClass } from './parse-class.ts'
import { parseEscape } from './parse-escape.ts'
import { type Assertion, type Pattern, type PatternNode, UnfitPattern } from './pattern.ts'
import { PatternReader } from './pattern-reader.ts'

/**
 * Reads a search pattern: literals, `.`, classes, `\d \w \s \b` and their opposites, `^ $`, groups with
 * and without memory, alternatives, greedy and lazy repetition, and `(?i)` in front. What would take
 * more than linear time (back references, looking around) is answered as an UnfitPattern.
 */
export function parsePattern(source: string): Pattern | UnfitPattern {
  if (source.length > limits.patternLength) {
    return new UnfitPattern(`it has more than ${limits.patternLength} characters`)
  }
  const ignoresCase = source.startsWith('(?i)')
  const parser = new PatternParser(ignoresCase ? source.slice(4) : source, ignoresCase)
  try {
    return parser.parse()
  } catch (error) {
    if (error instanceof UnfitPattern) return error
    throw error
  }
}

const assertions: Readonly<Record<string, Assertion>> = {
  '^': 'start',
  $: 'end',
  '\\b': 'wordEdge',
  '\\B': 'noWordEdge',
}

class PatternParser {
  readonly #reader: PatternReader
  readonly #ignoresCase: boolean
  /** By what they hold: patterns name the same characters again and again, and are kept for long. */
  readonly #sets = new Map<string, PatternNode>()
  #groupCount = 0

  constructor(source: string, ignoresCase: boolean) {
    this.#reader = new PatternReader(source)
    this.#ignoresCase = ignoresCase
  }

  parse(): Pattern {
    const node = this.#parseChoice(0)
    if (!this.#reader.isAtEnd)
      throw new UnfitPattern('a ")" has no opening "("; to search for it, write "\\)"')
    return { node, groupCount: this.#groupCount }
  }

  #parseChoice(depth: number): PatternNode {
    if (depth > limits.patternDepth) {
      throw new UnfitPattern(`groups can be nested at most ${limits.patternDepth} levels deep`)
    }
    const options = [this.#parseSequence(depth)]
    while (this.#reader.takeIf('|')) options.push(this.#parseSequence(depth))
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options }
  }

  #parseSequence(depth: number): PatternNode {
    const items: PatternNode[] = []
    const reader = this.#reader
    while (!reader.isAtEnd && !reader.startsWith('|') && !reader.startsWith(')')) {
      const firstGroup = this.#groupCount + 1
      const item = this.#parseItem(depth)
      items.push(this.#parseRepeat(item, firstGroup))
    }
    return { kind: 'sequence', items }
  }

  #parseItem(depth: number): PatternNode {
    const reader = this.#reader
    for (const [sign, assertion] of Object.entries(assertions)) {
      if (reader.takeIf(sign)) return { kind: 'assertion', assertion }
    }
    if (reader.takeIf('(')) return this.#parseGroup(depth)
    if (reader.takeIf('.')) return this.#characters({ ranges: lineEnds, isNegated: true })
    if (reader.takeIf('[')) return this.#characters(parseClass(reader))
    if (reader.takeIf('\\')) return this.#characters({ ranges: parseEscape(reader) })
    if (/^[*+?]$/.test(reader.peek) || reader.peekCount() !== undefined) {
      throw new UnfitPattern(
        `"${reader.peek}" repeats nothing; to search for it, write "\\${reader.peek}"`,
      )
    }
    const character = reader.take()
    return this.#characters({ ranges: [[character, character]] })
  }

  #characters(options: SetOptions): PatternNode {
    const { ranges, isNegated = false } = options
    const key = `${isNegated} ${ranges.join(' ')}`
    const known = this.#sets.get(key)
    if (known) return known
    const set = makeSet({ ...options, ignoresCase: this.#ignoresCase })
    const node: PatternNode = { kind: 'characters', set }
    this.#sets.set(key, node)
    return node
  }

  #parseGroup(depth: number): PatternNode {
    const reader = this.#reader
    let index = 0
    if (!reader.takeIf('?:')) {
      if (reader.startsWith('?')) {
        throw new UnfitPattern('groups that begin with "(?" are not supported, except "(?:...)"')
      }
      this.#groupCount++
      index = this.#groupCount
    }
    const inner = this.#parseChoice(depth + 1)
    if (!reader.takeIf(')')) throw new UnfitPattern('a group has no closing ")"')
    return index === 0 ? inner : { kind: 'group', index, inner }
  }

  #parseRepeat(inner: PatternNode, firstGroup: number): PatternNode {
    const reader = this.#reader
    const count = reader.takeCount()
    if (!count) return inner
    if (inner.kind === 'assertion')
      throw new UnfitPattern('"^", "$", "\\b" and "\\B" can not be repeated')
    const [min, max] = count
    if (min > max) throw new UnfitPattern(`{${min},${max}} has its numbers in the wrong order`)
    const isLazy = reader.takeIf('?')
    if (reader.takeCount())
      throw new UnfitPattern('a repetition such as "*" can not follow another one')
    return { kind: 'repeat', inner, min, max, isLazy, groups: [firstGroup, this.#groupCount + 1] }
  }
}
