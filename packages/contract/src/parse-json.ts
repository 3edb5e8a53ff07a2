import { invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'

const quote = 34
const backslash = 92
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/**
 * Parses JSON text that a caller sent. Refuses what is malformed or nested deeper than
 * `limits.jsonDepth` with an issue at the given path. Members named `__proto__` are dropped, wherever
 * they are: no input has one, and copying one by assignment would change a prototype.
 */
export function parseJson(text: string, path: readonly string[]): unknown {
  // Each level takes two characters, so that a short text can't be too deep.
  if (text.length > 2 * limits.jsonDepth && isTooDeep(text)) {
    throw invalidAt(path, `must be nested at most ${limits.jsonDepth} levels deep`)
  }
  const value = parse(text, path)
  if (text.includes('__proto__') || text.includes('\\u')) dropProto(value)
  return value
}

/**
 * Holds a value that somebody else parsed of JSON text to the rules of `parseJson`: refuses it when it is
 * nested deeper than `limits.jsonDepth`, and drops members named `__proto__`.
 */
export function requireLikeParsed(value: unknown, path: readonly string[]): void {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const containers = level.filter((member) => typeof member === 'object' && member !== null)
    if (depth === limits.jsonDepth && containers.length > 0) {
      throw invalidAt(path, `must be nested at most ${limits.jsonDepth} levels deep`)
    }
    for (const container of containers) dropOwnProto(container as object)
    level = containers.flatMap((container) => Object.values(container as object))
  }
}

function parse(text: string, path: readonly string[]): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The only failure of JSON.parse on a string is a SyntaxError, whose text quotes the input.
    throw invalidAt(path, 'must be valid JSON')
  }
}

/** Counts open brackets outside of strings, in one pass. Of malformed text it may say anything. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === openBracket || code === openBrace) {
      depth++
      if (depth > limits.jsonDepth) return true
    } else if (code === closeBracket || code === closeBrace) depth--
  }
  return false
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
