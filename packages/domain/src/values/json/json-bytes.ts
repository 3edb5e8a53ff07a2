/** Bytes that a UTF-16 unit takes in JSON at most: a control character, written as an escape. */
export const bytesPerUnit = 6

/** The bytes (UTF-8) that a text takes in JSON, with its quotes. */
export function jsonTextBytes(text: string): number {
  let bytes = text.length + 2
  for (let index = 0; index < text.length; index++) bytes += bytesBesideUnit(text.charCodeAt(index))
  return bytes
}

/** What a text begins with that takes at most so many bytes (UTF-8) in JSON, without its quotes; no half of a character. */
export function beginningUpTo(most: number, text: string): string {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    bytes += 1 + bytesBesideUnit(unit)
    if (bytes > most) {
      const isInPair = unit >= 0xdc00 && unit <= 0xdfff
      return text.slice(0, isInPair ? index - 1 : index)
    }
  }
  return text
}

/** The bytes (UTF-8) that a value takes as JSON, counted without making the JSON; 0 for values that JSON leaves out. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return jsonTextBytes(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? 0
  if ('toJSON' in value) return jsonBytes(JSON.parse(JSON.stringify(value)))
  if (Array.isArray(value)) {
    let bytes = 1 + Math.max(1, value.length)
    for (const item of value) bytes += jsonBytes(item) || jsonNull
    return bytes
  }
  let bytes = 2
  for (const key of Object.keys(value)) {
    const ofMember = jsonBytes(value[key as never])
    if (ofMember > 0) bytes += (bytes > 2 ? 1 : 0) + jsonTextBytes(key) + 1 + ofMember
  }
  return bytes
}

/**
 * An upper bound of the bytes that a value takes as JSON, from the length of each text in it, without reading the
 * texts. Objects that are not plain data, such as dates, count as nothing.
 */
export function mostJsonBytes(value: unknown): number {
  if (typeof value === 'string') return value.length * bytesPerUnit + 2
  if (typeof value !== 'object' || value === null) return mostNumberBytes
  let bytes = 2
  if (Array.isArray(value)) {
    for (const item of value) bytes += mostJsonBytes(item) + 1
    return bytes
  }
  for (const key in value) {
    bytes += key.length * bytesPerUnit + separators + mostJsonBytes(value[key as never])
  }
  return bytes
}

/** The longest number: `-1.2345678901234567e-100`. */
const mostNumberBytes = 25

/** Of a member: two quotes, a colon and a comma. */
const separators = 4

/** An item of a list that JSON can't tell is written as null. */
const jsonNull = 4

/** What a unit of a text takes beside its first byte. */
function bytesBesideUnit(unit: number): number {
  if (unit === quote || unit === backslash) return 1
  if (unit >= firstPrinted) return bytesBeyondAscii(unit)
  return shortEscapes.has(unit) ? 1 : bytesPerUnit - 1
}

/** Each half of a surrogate pair takes two of the pair's four bytes. */
function bytesBeyondAscii(unit: number): number {
  if (unit < 0x80) return 0
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
}

const quote = 0x22
const backslash = 0x5c
const firstPrinted = 0x20

/** Control characters that have an escape of two bytes: backspace, tab, line feed, form feed, carriage return. */
const shortEscapes: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])

/** Characters, roughly, of a value that isn't text. */
const shortLength = 10

/** The approximate number of characters of the value's JSON; counting ends once it reaches the given number. */
export function lengthUpTo(most: number, value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return shortLength
  let length = shortLength
  if (Array.isArray(value)) {
    // Going through the names of a list takes many times as long.
    for (let index = 0; index < value.length && length < most; index++) {
      length += lengthUpTo(most, value[index])
    }
    return length
  }
  for (const key in value) {
    length += lengthUpTo(most, value[key as never])
    if (length >= most) break
  }
  return length
}
