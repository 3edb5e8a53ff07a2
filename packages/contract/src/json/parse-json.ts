import { type DomainError, invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { appendAll } from '@gateleg/domain/structures/append-all'
import { type JsonPieces, planPieces, stringsMost } from './json-pieces.ts'
import { refusalOf, requireAtOnce } from './json-refusal.ts'
import { JsonScan } from './json-scan.ts'

/** What a JSON text may hold. */
export interface JsonLimits {
  /** Values it may have; the default is `limits.jsonValues`. */
  readonly values?: number
  /** Hears how many bytes of memory the values take beside their texts, about, before they are made. */
  readonly onBytes?: (bytes: number) => void
}

/**
 * Parses JSON text that a caller sent. Refuses what is malformed or nested deeper than
 * `limits.jsonDepth` with an issue at the given path, and with `payload_too_large` what has too many values,
 * in all or to be parsed in one go, an object of too many members, or too long a text. Members named
 * `__proto__` are members like others: schemas refuse or ignore them as unknown, so that none is copied by an
 * assignment, which would change a prototype.
 *
 * Not a parser of streams: those take five times as long as `JSON.parse`, which makes the values here too. What is
 * ours counts them before they are made, and says where a long text can be cut.
 */
export function parseJson(text: string, path: readonly string[], given: JsonLimits = {}): unknown {
  // Each level takes two characters, so that a short text can't be too deep.
  if (text.length > 2 * limits.jsonDepth) {
    const scan = newScan(text, given)
    scan.goOn(text.length)
    requireWithinLimits(scan, path, given)
    planWithinLimits(text, scan)
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
  const pieces = planWithinLimits(text, scan)
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
      if (list) appendAll(list, items)
    }
  }
  return value
}

function newScan(text: string, { values = limits.jsonValues }: JsonLimits): JsonScan {
  return new JsonScan(text, {
    depth: limits.jsonDepth,
    values,
    members: limits.jsonMembers,
    names: limits.jsonNames,
    textLength: limits.jsonTextLength,
    // One more tells that there are too many.
    strings: stringsMost + 1,
    cutLength: limits.jsonPieceLength,
    cutValues: limits.jsonPieceValues,
  })
}

function requireWithinLimits(
  { excess, values, containers, namesLength }: JsonScan,
  path: readonly string[],
  { values: most = limits.jsonValues, onBytes }: JsonLimits,
): void {
  if (excess) throw refusalOf(excess, path, most)
  const { jsonValueBytes, jsonContainerBytes } = limits
  onBytes?.((values - containers) * jsonValueBytes + containers * jsonContainerBytes + namesLength)
}

/** The pieces of the text, where it is to be parsed in pieces; refuses what is too much in one go. */
function planWithinLimits(text: string, scan: JsonScan): JsonPieces | undefined {
  const pieces = planPieces(text, scan)
  requireAtOnce(pieces?.mostAtOnce ?? { values: scan.values, length: text.length })
  return pieces
}

function malformed(path: readonly string[]): DomainError {
  return invalidAt(path, 'must be valid JSON')
}

function parse(text: string, path: readonly string[]): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The only failure of JSON.parse on a string is a SyntaxError, whose text quotes the input.
    throw malformed(path)
  }
}
