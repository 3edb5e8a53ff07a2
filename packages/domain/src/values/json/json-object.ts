import { z } from 'zod'
import { limits } from '../../limits.ts'
import { unusableName } from '../names.ts'
import { isStorable } from '../storable-text.ts'
import { jsonBytes } from './json-bytes.ts'

/**
 * An object that is stored as it was sent and never read by the product: JSON of at most the given number of bytes.
 * Every storage can hold its text, and it is nested no deeper than bodies of requests.
 */
export function jsonObjectUpTo(bytes: number) {
  return z
    .custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      { error: 'must be an object', abort: true },
    )
    .superRefine((value, context) => {
      const message = findFault(value, bytes)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .meta({ type: 'object', additionalProperties: {} })
}

/** What is wrong with the value, if anything is. Each value in it is looked at once, and none of them by recursion. */
function findFault(root: object, bytesMost: number): string | undefined {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 1 }]
  let values = 0
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const { value, depth } = part
    values++
    if (values > bytesMost) return tooLong(bytesMost)
    if (typeof value === 'string' && !isStorable(value)) return notStorable
    if (typeof value !== 'object' || value === null) {
      if (!isJsonScalar(value)) return 'must be JSON'
      continue
    }
    if (depth > limits.jsonDepth) return `must not be nested deeper than ${limits.jsonDepth} levels`
    if (!isPlainData(value)) return 'must be JSON'
    if (Object.hasOwn(value, unusableName)) return `must not have a member "${unusableName}"`
    if (!Array.isArray(value) && !Object.keys(value).every(isStorable)) return notStorable
    for (const inner of Object.values(value)) pending.push({ value: inner, depth: depth + 1 })
  }
  return jsonBytes(root) > bytesMost ? tooLong(bytesMost) : undefined
}

const notStorable = 'must be well-formed Unicode without the character U+0000'

function tooLong(bytes: number): string {
  return `must have at most ${bytes} bytes as JSON`
}

function isJsonScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  )
}

function isPlainData(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
