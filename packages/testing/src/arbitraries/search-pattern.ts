import fc from 'fast-check'

interface PatternPart {
  readonly source: string
  /** Whether it can match nothing at all. */
  readonly isNullable: boolean
}

const taking = (source: string): PatternPart => ({ source, isNullable: false })

const character = fc
  .oneof(
    fc.constantFrom('a', 'b', 'c', '1', '_', ' ', '\\.', '\\n', '\\x61', '\\u0062', 'é', '😀'),
    fc.constantFrom('.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S'),
    fc.constantFrom('[ab]', '[^a]', '[a-c1-3]', '[\\d_-]', '[^\\s\\w]', '[😀-😂é]', '[\\]^]'),
  )
  .map(taking)

const place = fc
  .constantFrom('^', '$', '\\b', '\\B')
  .map((source): PatternPart => ({ source, isNullable: true }))

const count = fc
  .tuple(
    fc.constantFrom('*', '+', '?', '{0}', '{1}', '{2}', '{0,1}', '{1,}', '{2,3}', '{0,2}'),
    fc.constantFrom('', '?'),
  )
  .map((parts) => parts.join(''))

function repeat(inner: PatternPart, times: string): PatternPart {
  return {
    source: inner.source + times,
    isNullable: inner.isNullable || /^(\*|\?|\{0)/.test(times),
  }
}

function inRow(items: readonly PatternPart[]): PatternPart {
  return {
    source: items.map(({ source }) => source).join(''),
    isNullable: items.every(({ isNullable }) => isNullable),
  }
}

function either(options: readonly PatternPart[]): PatternPart {
  return {
    source: options.map(({ source }) => source).join('|'),
    isNullable: options.some(({ isNullable }) => isNullable),
  }
}

/**
 * Search patterns of the supported kind that JavaScript understands with the flag u. Nothing is
 * repeated that can match nothing: there JavaScript tries ways that a search in linear time doesn't.
 */
export const searchPattern: fc.Arbitrary<string> = fc
  .letrec<{ pattern: PatternPart }>((tie) => {
    const group = fc
      .tuple(fc.constantFrom('(', '(?:'), tie('pattern'))
      .map(([open, inner]) => ({ ...inner, source: `${open}${inner.source})` }))
    const repeatable = group.filter((inner) => !inner.isNullable)
    const repeated = fc
      .tuple(fc.oneof(character, repeatable), count)
      .map(([inner, times]) => repeat(inner, times))
    const item = fc.oneof({ maxDepth: 3 }, character, place, repeated, group)
    const sequence = fc.array(item, { maxLength: 4 }).map(inRow)
    return { pattern: fc.array(sequence, { minLength: 1, maxLength: 3 }).map(either) }
  })
  .pattern.map(({ source }) => source)

/** Texts in which such patterns find something. */
export const searchedText: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'A', 'd', '1', '2', '_', ' ', '\n', '.', '-', 'é', '😀'),
  maxLength: 12,
})
