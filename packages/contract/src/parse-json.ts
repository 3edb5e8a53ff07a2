import { DomainError, invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { planPieces, stringsMost } from './json-pieces.ts'
import { JsonScan } from './json-scan.ts'

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
  // Each level takes two characters, so that a short text can't be too deep.
  if (text.length > 2 * limits.jsonDepth) {
    const scan = newScan(text, given)
    scan.goOn(text.length)
    requireWithinLimits(scan, path, given)
  }
  return parse(text, path)
}

/**
 * Does as `parseJson`, with pauses: the lists of an object, as bodies full of records have them, are parsed
 * some `limits.jsonPieceLength` characters at a time. An item of a list is parsed in one go, as is a text that
 * has no such list, or one name twice.
 */
export async function parseJsonInTurns(
  text: string,
  path: readonly string[],
  given: JsonLimits,
  pause: () => Promise<unknown>,
): Promise<unknown> {
  const scan = newScan(text, given)
  while (scan.goOn(limits.jsonPieceLength)) await pause()
  requireWithinLimits(scan, path, given)
  const pieces = planPieces(text, scan)
  await pause()
  if (!pieces) return parse(text, path)
  const value = parse(pieces.frame, path) as Record<string, unknown[]>
  for (const { name, spans } of pieces.lists) {
    const list = value[name]
    for (const [start, end] of spans) {
      await pause()
      const items = parse(`[${text.slice(start, end)}]`, path) as unknown[]
      // Between two commas there must be something.
      if (items.length === 0) throw malformed(path)
      for (const item of items) list?.push(item)
    }
  }
  return value
}

function newScan(text: string, { values = limits.jsonValues }: JsonLimits): JsonScan {
  return new JsonScan(text, {
    depth: limits.jsonDepth,
    values,
    // One more tells that there are too many.
    strings: stringsMost + 1,
    cutLength: limits.jsonPieceLength,
  })
}

function requireWithinLimits(
  { excess, values }: JsonScan,
  path: readonly string[],
  { values: most = limits.jsonValues, onValues }: JsonLimits,
): void {
  if (excess === 'depth') throw tooDeep(path)
  if (excess === 'values') throw tooMany(most)
  onValues?.(values)
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

function malformed(path: readonly string[]): DomainError {
  return invalidAt(path, 'must be valid JSON')
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
    throw malformed(path)
  }
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
