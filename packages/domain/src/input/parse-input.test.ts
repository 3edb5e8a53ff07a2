import { expect, test } from 'vitest'
import { z } from 'zod'
import { useCases } from '../use-cases.ts'
import { parseInput } from './parse-input.ts'

/** Each wrong member by its path, with what is said of it. */
function sayings(schema: z.ZodType, input: unknown): Readonly<Record<string, string>> {
  const parsed = parseInput(schema, input)
  const issues = 'issues' in parsed ? parsed.issues : []
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]))
}

const shape = z.strictObject({
  name: z.string().min(1).max(3),
  size: z.number().int().min(2).max(9),
  ratio: z.number().gt(0).lt(1),
  isOpen: z.boolean(),
  items: z.array(z.string()).min(2).max(3),
  kind: z.enum(['a', 'b']),
  one: z.literal('x'),
  code: z.string().regex(/^[a-z]+$/),
  step: z.number().multipleOf(5),
  moment: z.union([z.iso.date(), z.iso.datetime()], { error: 'must be a moment' }),
  either: z.union([z.string(), z.array(z.string())]),
  tagged: z.discriminatedUnion('type', [
    z.object({ type: z.literal('p') }),
    z.object({ type: z.literal('q'), depth: z.number() }),
  ]),
})

const right = {
  name: 'x',
  size: 3,
  ratio: 0.5,
  isOpen: true,
  items: ['a', 'b'],
  kind: 'a',
  one: 'x',
  code: 'abc',
  step: 10,
  moment: '2024-01-01',
  either: 'x',
  tagged: { type: 'q', depth: 1 },
}

test.each([
  ['name', undefined, 'is required'],
  ['name', 1, 'must be text'],
  ['name', null, 'must be text'],
  ['name', '', 'must not be empty'],
  ['name', 'long', 'must have at most 3 characters'],
  ['size', '3', 'must be a number'],
  ['size', Number.NaN, 'must be a number'],
  ['size', 3.5, 'must be a whole number'],
  ['size', 1, 'must be at least 2'],
  ['size', 10, 'must be at most 9'],
  ['ratio', 0, 'must be greater than 0'],
  ['ratio', 1, 'must be less than 1'],
  ['isOpen', 'yes', 'must be true or false'],
  ['items', {}, 'must be a list'],
  ['items', ['a'], 'must have at least 2 items'],
  ['items', ['a', 'b', 'c', 'd'], 'must have at most 3 items'],
  ['kind', 'c', 'must be one of "a", "b"'],
  ['kind', undefined, 'is required: one of "a", "b"'],
  ['one', 'y', 'must be "x"'],
  ['code', 'A', 'must match the pattern /^[a-z]+$/'],
  ['step', 7, 'must be a multiple of 5'],
  ['moment', 'soon', 'must be a moment'],
  ['moment', null, 'must be a moment'],
  ['moment', undefined, 'is required'],
  ['either', 7, 'must be text, or a list'],
  ['either', [7], '0: must be text'],
  ['tagged', 'p', 'must be an object'],
] as const)('[ENGINE-13] of %s %j it says: %s %s', (member, value, message) => {
  expect(sayings(shape, { ...right, [member]: value })).toEqual({ [member]: message })
})

test('[ENGINE-13] says of members that are unknown, and of kinds that are', () => {
  expect(sayings(shape, right)).toEqual({})
  expect(sayings(shape, { ...right, more: 1 })).toEqual({ '': 'must not have the member "more"' })
  expect(sayings(shape, { ...right, more: 1, most: 2 })).toEqual({
    '': 'must not have the members "more", "most"',
  })
  expect(sayings(shape, { ...right, tagged: { type: 'r' } })).toEqual({
    'tagged.type': 'must be one of "p", "q"',
  })
  expect(sayings(shape, { ...right, tagged: { type: 'q' } })).toEqual({
    'tagged.depth': 'is required',
  })
  expect(sayings(shape, { ...right, tagged: { depth: 1 } })).toEqual({
    'tagged.type': 'is required: one of "p", "q"',
  })
  expect(sayings(shape, 'text')).toEqual({ '': 'must be an object' })
})

test('[ENGINE-13] says of a number beyond two bounds only what is right', () => {
  for (const [size, message] of [
    [2 ** 60, 'must be at most 9'],
    [-(2 ** 60), 'must be at least 2'],
    [10, 'must be at most 9'],
  ] as const) {
    expect(parseInput(shape, { ...right, size })).toEqual({ issues: [{ path: ['size'], message }] })
  }
  const two = parseInput(shape, { ...right, size: 2 ** 60, ratio: 2 ** 60 })
  expect(two).toMatchObject({ issues: [{ path: ['size'] }, { path: ['ratio'] }] })
})

test('[ENGINE-13] no operation answers in the words of the library', () => {
  const bad: readonly unknown[] = [undefined, null, 7, -1.5, '', 'x', true, [], {}, [7], { a: 7 }]
  for (const byName of Object.values(useCases)) {
    for (const { input } of Object.values(byName)) {
      const members = input instanceof z.ZodObject ? Object.keys(input.shape) : []
      for (const value of bad) {
        const said = sayings(input, Object.fromEntries(members.map((name) => [name, value])))
        expect(JSON.stringify(said)).not.toMatch(/Invalid|expected|received|Too (small|big)/)
      }
    }
  }
})

test('[ENGINE-13] says of every required member that is missing that it is required', () => {
  for (const [feature, byName] of Object.entries(useCases)) {
    for (const [name, { input }] of Object.entries(byName)) {
      const parsed = parseInput(input, {})
      const issues = 'issues' in parsed ? parsed.issues : []
      for (const { path, message } of issues) {
        expect(message, `${feature}.${name} ${path.join('.')}`).toMatch(/^is required/)
      }
    }
  }
})
