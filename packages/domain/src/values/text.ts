/** The text form of any JSON value, for lenient reading: '' for null, names of people and files, else JSON. */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(toText).join(', ')
  const { title, name } = value as { title?: unknown; name?: unknown }
  if (typeof title === 'string') return title
  if (typeof name === 'string') return name
  return JSON.stringify(value)
}

/** Simple case folding, by which texts are sorted and searched. */
export function foldCase(text: string): string {
  return text.toLowerCase()
}

/** Orders two texts by Unicode code point after simple case folding; ties by the texts themselves. */
export function compareText(a: string, b: string): number {
  return compareCodePoints(foldCase(a), foldCase(b)) || compareCodePoints(a, b)
}

/** JavaScript compares UTF-16 units, which puts surrogate pairs before U+E000 to U+FFFF; storages don't. */
function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return toCodePointOrder(x) - toCodePointOrder(y)
  }
  return a.length - b.length
}

function toCodePointOrder(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800
  if (unit >= 0xd800) return unit + 0x2000
  return unit
}
