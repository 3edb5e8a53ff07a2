import { DomainError, invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'

const quote = 34
const backslash = 92
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125
const comma = 44

/** What a JSON text may hold. */
export interface JsonLimits {
  /** Values it may have; the default is `limits.jsonValues`. */
  readonly values?: number
  /** Hears how many values there are, about, before they are made. */
  readonly onValues?: (values: number) => void
}

/**
 * Parses JSON text that a caller sent. Refuses what is malformed or nested deeper than
 * `limits.jsonDepth` with an issue at the given path, and what has too many values with
 * `payload_too_large`. Members named `__proto__` are dropped, wherever they are: no input has one, and
 * copying one by assignment would change a prototype.
 */
export function parseJson(text: string, path: readonly string[], given: JsonLimits = {}): unknown {
  requireWithinLimits(text, path, given)
  return parse(text, path)
}

/** Does as `parseJson`, with a pause in the middle: of a large text, each half takes a while. */
export async function parseJsonInTurns(
  text: string,
  path: readonly string[],
  given: JsonLimits,
  pause: () => Promise<unknown>,
): Promise<unknown> {
  requireWithinLimits(text, path, given)
  await pause()
  return parse(text, path)
}

function requireWithinLimits(
  text: string,
  path: readonly string[],
  { values: most = limits.jsonValues, onValues }: JsonLimits,
): void {
  // Each level takes two characters, so that a short text can't be too deep.
  if (text.length <= 2 * limits.jsonDepth) return
  const count = scan(text, path, most)
  onValues?.(count)
}

/** Holds a value that somebody else parsed of JSON text to the rules of `parseJson`. */
export function requireLikeParsed(
  value: unknown,
  path: readonly string[],
  { values: most = limits.jsonValues }: Pick<JsonLimits, 'values'> = {},
): void {
  let level = [value]
  let values = 0
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length
    if (values > most) throw tooMany(most)
    const containers = level.filter((member) => typeof member === 'object' && member !== null)
    if (depth === limits.jsonDepth && containers.length > 0) throw tooDeep(path)
    for (const container of containers) dropOwnProto(container as object)
    level = containers.flatMap((container) => Object.values(container as object))
  }
}

function tooDeep(path: readonly string[]): DomainError {
  return invalidAt(path, `must be nested at most ${limits.jsonDepth} levels deep`)
}

function tooMany(most: number): DomainError {
  return new DomainError(
    'payload_too_large',
    `The body may have ${most} values at most here: send it in parts`,
  )
}

function parse(text: string, path: readonly string[]): unknown {
  const value = parseText(text, path)
  if (text.includes('__proto__') || text.includes('\\u')) dropProto(value)
  return value
}

function parseText(text: string, path: readonly string[]): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The only failure of JSON.parse on a string is a SyntaxError, whose text quotes the input.
    throw invalidAt(path, 'must be valid JSON')
  }
}

/**
 * Counts values by the brackets and commas outside of strings, in one pass, and refuses what is nested too
 * deeply or has too many. Of malformed text it may say anything.
 */
function scan(text: string, path: readonly string[], most: number): number {
  let depth = 0
  let values = 1
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === comma || code === openBracket || code === openBrace) {
      if (++values > most) throw tooMany(most)
      if (code === comma) continue
      depth++
      if (depth > limits.jsonDepth) throw tooDeep(path)
    } else if (code === closeBracket || code === closeBrace) depth--
  }
  return values
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text.charCodeAt(first - 1) === backslash) first--
  return (index - first) % 2 === 1
}

function dropProto(value: unknown): void {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    dropOwnProto(next)
    for (const member of Object.values(next)) waiting.push(member)
  }
}

function dropOwnProto(value: object): void {
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
}
