/** Bytes that a UTF-16 unit takes in JSON at most: a control character, written as an escape. */
export const bytesPerUnit = 6

/** The bytes (UTF-8) that a text takes in JSON, with its quotes. */
export function jsonTextBytes(text: string): number {
  let bytes = text.length + 2
  for (let index = 0; index < text.length; index++) bytes += bytesBesideUnit(text.charCodeAt(index))
  return bytes
}

/** The bytes (UTF-8) that a value takes as JSON. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return jsonTextBytes(value)
  const json = JSON.stringify(value) ?? ''
  let bytes = json.length
  for (let index = 0; index < json.length; index++)
    bytes += bytesBeyondAscii(json.charCodeAt(index))
  return bytes
}

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
