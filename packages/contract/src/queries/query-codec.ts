import { invalidAt } from '@gateleg/domain/errors'
import { isOneLetterOff } from '@gateleg/domain/values/is-one-letter-off'
import type { z } from 'zod'
import { parseJson } from '../json/parse-json.ts'
import { type QueryKind, queryKindsOf } from './query-kind.ts'

/** Reads and writes the part of an input that travels in a query string. */
export interface QueryCodec {
  /**
   * The members as the schema takes them; what is no such value stays text. Of other names, one that is a
   * letter off from a member's, or differs in case or underscores alone, is refused, since it was meant to
   * be that; all others are ignored. Brackets after a member's name say places in a list, or are refused.
   */
  read(query: string): Record<string, unknown>
  /** The query string of an input, without the question mark; `read` gives the input again. */
  write(input: Readonly<Record<string, unknown>>): string
}

/**
 * The codec of an input schema: texts, numbers and truth values as they are, lists as repeated `key[]`
 * (or `key`, or `key[0]`, `key[1]` and so on), structures as JSON text. How each member is written is computed at
 * the first query, not at the start: most operations have none.
 *
 * Not `qs`, which Express can use: knowing no schema, it makes every value a text, and drops what comes after the
 * thousandth parameter without a word.
 */
export function queryCodecOf(schema: z.ZodType, pathMembers: readonly string[]): QueryCodec {
  let known: ReadonlyMap<string, QueryKind> | undefined
  const kinds = () => {
    known ??= new Map([...queryKindsOf(schema)].filter(([name]) => !pathMembers.includes(name)))
    return known
  }
  return {
    read: (query) => (query === '' ? {} : readMembers(kinds(), query, pathMembers)),
    write: (input) => writeMembers(kinds(), input),
  }
}

interface Given {
  readonly kind: QueryKind
  readonly texts: string[]
  /** Whether the key ended in brackets, which makes a single value a list. */
  isList: boolean
  /** Whether the brackets say places: `key[0]`. All of a list's keys do, or none. */
  readonly hasPlaces: boolean
}

function readMembers(
  kinds: ReadonlyMap<string, QueryKind>,
  query: string,
  pathMembers: readonly string[],
): Record<string, unknown> {
  const givenByName = new Map<string, Given>()
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const key = decode(equals === -1 ? pair : pair.slice(0, equals))
    const bracket = key.indexOf('[')
    const name = bracket === -1 ? key : key.slice(0, bracket)
    const kind = kinds.get(name)
    if (!kind) {
      if (!pathMembers.includes(name)) refuseMisspelt(name, kinds.keys())
      continue
    }
    const place = readBrackets(name, kind, key.slice(name.length))
    const hasPlaces = place !== undefined
    const given = givenByName.get(name) ?? { kind, texts: [], isList: false, hasPlaces }
    if (given.hasPlaces !== hasPlaces || (hasPlaces && place !== given.texts.length)) {
      throw invalidAt([name], `must be sent ${listForm(name)}, or in order: ${placesForm(name)}`)
    }
    given.texts.push(equals === -1 ? '' : decode(pair.slice(equals + 1)))
    given.isList ||= name !== key
    givenByName.set(name, given)
  }
  const members: Record<string, unknown> = {}
  for (const [name, given] of givenByName) members[name] = readMember(name, given)
  return members
}

/** A place in brackets; no list has room for one of more digits. */
const placePattern = /^\[(0|[1-9]\d{0,5})\]$/

/**
 * The place in a list that the brackets after a name say; undefined where they say none. Throws
 * validation_error for what can't be read: a member that is dropped would answer everything.
 */
function readBrackets(name: string, kind: QueryKind, brackets: string): number | undefined {
  if (brackets === '' || brackets === '[]') return undefined
  const place = placePattern.exec(brackets)?.[1]
  if (place !== undefined && kind.list) return Number(place)
  // What isn't available yet is refused by the schema, with its own words.
  if (kind.never) return undefined
  throw invalidAt([name], `can't be sent as "${name}[…]…": send it ${formOf(name, kind)}`)
}

function formOf(name: string, kind: QueryKind): string {
  if (kind.list) return `${listForm(name)}, or in order: ${placesForm(name)}`
  return kind.json ? `as JSON text: "${name}=…"` : `as "${name}=…"`
}

function listForm(name: string): string {
  return `as a repeated "${name}[]=…"`
}

function placesForm(name: string): string {
  return `"${name}[0]=…&${name}[1]=…"`
}

/** A filter that is dropped for its name would answer everything. */
function refuseMisspelt(name: string, known: Iterable<string>): void {
  for (const right of known) {
    if (isSameButForStyle(name, right) || isOneLetterOff(name, right))
      throw invalidAt([name], `is not known: did you mean "${right}"?`)
  }
}

/** Whether the names differ in case or underscores alone: `view_id` for `viewId`. */
function isSameButForStyle(name: string, right: string): boolean {
  // Underscores add to a name, and a name of any length is a caller's to send.
  if (name.length > 2 * right.length) return false
  return withoutStyle(name) === withoutStyle(right)
}

function withoutStyle(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    // The only failure of decodeURIComponent is a malformed escape.
    throw invalidAt(['query'], 'must be percent-encoded UTF-8')
  }
}

function readMember(name: string, { kind, texts, isList }: Given): unknown {
  const [first = ''] = texts
  if (texts.length > 1 && !kind.list && !kind.never) {
    throw invalidAt([name], `was sent ${texts.length} times: send it once`)
  }
  if (isList || texts.length > 1) {
    return texts.map((text, index) => readText(name, kind.list?.[index] ?? kind.list?.at(-1), text))
  }
  if (!kind.list) return readText(name, kind, first)
  if (first.startsWith('[')) {
    const whole = readText(name, { json: true, text: true }, first)
    if (Array.isArray(whole)) return whole
  }
  const { list, ...single } = kind
  return Object.keys(single).length > 0
    ? readText(name, single, first)
    : [readText(name, list[0], first)]
}

const decimal = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** What is no number or truth value stays text, for the schema to refuse with its own words. */
function readText(name: string, kind: QueryKind | undefined, text: string): unknown {
  if (kind?.json && !kind.text) return parseJson(text, [name])
  if (kind?.json && looksLikeJson(text)) return parseJson(text, [name])
  if (kind?.text) return text
  if (kind?.number && decimal.test(text)) return Number(text)
  if (kind?.boolean && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function looksLikeJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[')
}

function writeMembers(
  kinds: ReadonlyMap<string, QueryKind>,
  input: Readonly<Record<string, unknown>>,
): string {
  const pairs: string[] = []
  for (const [name, kind] of kinds) {
    const value = input[name]
    if (value === undefined) continue
    const key = encodeURIComponent(name)
    if (Array.isArray(value) && kind.list && value.length > 0) {
      for (const item of value) pairs.push(`${key}[]=${encodeURIComponent(String(item))}`)
    } else pairs.push(`${key}=${encodeURIComponent(writeText(kind, value))}`)
  }
  return pairs.join('&')
}

function writeText(kind: QueryKind, value: unknown): string {
  if (typeof value === 'object') return JSON.stringify(value)
  return kind.json && !kind.text ? JSON.stringify(value) : String(value)
}
