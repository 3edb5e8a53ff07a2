import { roles } from '@gateleg/domain/access/roles'
import fc from 'fast-check'
import { storableText, trickyText } from '../arbitraries/text.ts'

/** A thing that is there, as a rule. */
export const ref = fc.oneof(
  { weight: 30, arbitrary: fc.nat({ max: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, -2, -3) },
)

/** Names, few enough to be taken already: cases, scripts and blanks among them. */
export const name = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.constantFrom(
      ...[
        'Plan',
        'plan',
        'PLAN',
        'Plan 2',
        'Äpfel',
        'a b',
        ' Plan ',
        'Название',
        '計画',
        '🗂️',
        '_x',
      ],
      ...['Z', 'É', 'e\u0301', "it's", 'a"b', 'x'.repeat(100), '%', '__proto__'],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ' ', 'x'.repeat(101), 'a\0b', '\ud83d', '\u{10ffff}'),
  },
  { weight: 2, arbitrary: storableText() },
  { weight: 1, arbitrary: trickyText() },
)

export const icon = fc.option(fc.constantFrom('🪑', 'star', '', 'i'.repeat(65), '\0'), {
  nil: null,
})

export const description = fc.option(fc.oneof(name, storableText(200)), { nil: null })

export const role = fc.constantFrom(...roles)

export const position = fc.constantFrom('before', 'after')

/** An object with any of the members; each one missing more often than not. */
export function some<T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record<T, never>(members, { requiredKeys: [] })
}

/** Values that a careless reader of inputs stumbles over. */
export const oddValue = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    '',
    ' ',
    '\0',
    'a\0',
    '\ud800',
    'unknown',
  ),
  fc.constantFrom('x'.repeat(64), 'x'.repeat(65), '💺'.repeat(33), "'; --", '%', '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
)
