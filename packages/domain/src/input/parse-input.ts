import type { z } from 'zod'
import { assert, type Issue, invalid } from '../errors.ts'

type RawIssue = z.core.$ZodRawIssue

/** The input as the schema takes it, or what is wrong with it, in plain sentences: at least one issue. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { readonly data: z.output<Schema> } | { readonly issues: readonly Issue[] } {
  const parsed = schema.safeParse(input, { error: toSentence })
  if (parsed.success) return { data: parsed.data }
  const { issues } = parsed.error
  assert(issues.length > 0, 'a failed parse has issues')
  return {
    issues: withTightest(issues).map((issue) => {
      const path = issue.path.map(toKey)
      const isMissing = !isAboutMembers(issue) && !isThere(input, path)
      // A schema's own words say what would be right of a value that is there.
      const message = isMissing && !issue.message.startsWith(required) ? required : issue.message
      return { path, message }
    }),
  }
}

/** The issues, of several bounds on one side that a number is beyond the tightest alone: whole numbers have bounds of their own. */
function withTightest(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const kept: z.core.$ZodIssue[] = []
  const placeOf = new Map<string, number>()
  for (const issue of issues) {
    const bound = boundOf(issue)
    const key = bound === undefined ? undefined : `${issue.code} ${JSON.stringify(issue.path)}`
    const place = key === undefined ? undefined : placeOf.get(key)
    if (place === undefined) {
      if (key !== undefined) placeOf.set(key, kept.length)
      kept.push(issue)
      continue
    }
    const other = kept[place]
    if (other && Number(bound) < Number(boundOf(other))) kept[place] = issue
  }
  return kept
}

/** The bound that a number is beyond, as a number that is less where it is tighter; undefined for any other issue. */
function boundOf(issue: z.core.$ZodIssue): number | undefined {
  const isOfNumber = 'origin' in issue && (issue.origin === 'number' || issue.origin === 'int')
  if (!isOfNumber) return undefined
  if (issue.code === 'too_big') return Number(issue.maximum)
  return issue.code === 'too_small' ? -Number(issue.minimum) : undefined
}

/** The input as the schema takes it. Throws `validation_error`, with places that begin with the path. */
export function parseAt<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  path: Issue['path'],
): z.output<Schema> {
  const parsed = parseInput(schema, input)
  if ('data' in parsed) return parsed.data
  throw invalid(parsed.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })))
}

/** Whether the input has a value at the place. */
function isThere(input: unknown, path: readonly (string | number)[]): boolean {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
    value = (value as Readonly<Record<string | number, unknown>>)[key]
  }
  return value !== undefined
}

/** What would be right, for issues whose schema has no words of its own; the path says where. */
function toSentence(issue: RawIssue): string {
  if (issue.input === undefined && !isAboutMembers(issue)) return missing(issue)
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kindOf(issue.expected)}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'unrecognized_keys':
      return `must not have ${issue.keys.length > 1 ? 'the members' : 'the member'} ${listed(issue.keys.slice(0, namedMost))}`
    case 'invalid_union':
      return unionSentence(issue)
    case 'invalid_format':
      return issue.pattern
        ? `must match the pattern ${issue.pattern}`
        : `must be of the form ${issue.format}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    default:
      return 'is not valid'
  }
}

/** How many names a message lists: more would not help. */
const namedMost = 60

const required = 'is required'

function isAboutMembers({ code }: Pick<RawIssue, 'code'>): boolean {
  return code === 'unrecognized_keys' || code === 'custom'
}

function missing(issue: RawIssue): string {
  const choices = issue.code === 'invalid_value' ? issue.values : discriminatorsOf(issue)
  return choices && choices.length > 0 ? `${required}: ${oneOf(choices)}` : required
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  undefined: 'left out',
}

function kindOf(expected: string): string {
  return kinds[expected] ?? `of the kind "${expected}"`
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? listed(values) : `one of ${listed(values.slice(0, namedMost))}`
}

function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value) ?? String(value)).join(', ')
}

type Bound = Extract<RawIssue, { code: 'too_small' | 'too_big' }>

function tooSmall(issue: Extract<Bound, { code: 'too_small' }>): string {
  const { minimum, inclusive } = issue
  const counted = unitsOf(issue, minimum)
  if (counted === undefined) {
    return inclusive ? `must be at least ${minimum}` : `must be greater than ${minimum}`
  }
  return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} ${counted}`
}

function tooBig(issue: Extract<Bound, { code: 'too_big' }>): string {
  const { maximum, inclusive } = issue
  const counted = unitsOf(issue, maximum)
  if (counted === undefined) {
    return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`
  }
  return `must have at most ${maximum} ${counted}`
}

/** The noun for the things that a limit counts, such as characters; undefined for numbers themselves. */
function unitsOf({ origin }: Bound, count: number | bigint): string | undefined {
  const units: Readonly<Record<string, string>> = {
    string: 'character',
    array: 'item',
    set: 'item',
    map: 'member',
    object: 'member',
  }
  const unit = units[origin]
  return unit && `${unit}${Number(count) === 1 ? '' : 's'}`
}

type UnionIssue = Extract<RawIssue, { code: 'invalid_union' }>

/**
 * The message for a value that fits no kind of a union: what the kinds are, or, where one kind fits except for a
 * member, what is wrong with that member.
 */
function unionSentence(issue: UnionIssue): string {
  const choices = discriminatorsOf(issue)
  if (choices) return hasDiscriminator(issue) ? `must be ${oneOf(choices)}` : missing(issue)
  const closest = issue.errors.find((branch) => branch.some(({ path }) => path.length > 0))
  const [inner] = closest?.filter(({ path }) => path.length > 0) ?? []
  if (inner) return `${inner.path.map(toKey).join('.')}: ${inner.message}`
  const messages = new Set(issue.errors.flatMap((branch) => branch.map(({ message }) => message)))
  return [...messages]
    .map((message, index) => (index > 0 ? message.replace(/^must be /, '') : message))
    .join(', or ')
}

function hasDiscriminator({ input, discriminator = '' }: UnionIssue): boolean {
  return isThere(input, [discriminator])
}

/** The values of the member that tells the kinds of a union apart. */
function discriminatorsOf(issue: RawIssue): readonly unknown[] | undefined {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return undefined
  const schema = issue.inst as z.core.$ZodType | undefined
  const values = schema?._zod.propValues?.[issue.discriminator]
  return values && [...values]
}

function toKey(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? String(key) : key
}
