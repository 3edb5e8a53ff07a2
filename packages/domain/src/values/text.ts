/**
 * The text form of any JSON value, for lenient reading: '' for null, the names of people and files, JSON for everything
 * else.
 */
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

/**
 * Letters that are forms of another small letter, and which that is: they stay as they are in lower case, but are
 * upper and lower case of the same letter. One each, in the same order.
 */
export const foldedForms = {
  from: '\u00b5\u017f\u0345\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u1c80\u1c81\u1c82\u1c83\u1c84\u1c85\u1c86\u1c87\u1c88\u1e9b\u1fbe',
  to: '\u03bc\u0073\u03b9\u03c3\u03b2\u03b8\u03c6\u03c0\u03ba\u03c1\u03b5\u0432\u0434\u043e\u0441\u0442\u0442\u044a\u0463\ua64b\u1e61\u03b9',
} as const

const foldedForm = new RegExp(`[${foldedForms.from}]`, 'g')

/** The text with upper and lower case made equal, letter by letter. Texts are sorted and searched in this form. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  return isAscii.test(lower) ? lower : lower.replace(foldedForm, toFoldedForm)
}

const isAscii = /^[\0-\x7f]*$/

function toFoldedForm(letter: string): string {
  return foldedForms.to[foldedForms.from.indexOf(letter)] as string
}

/** Orders two texts by Unicode code point after simple case folding; ties by the texts themselves. */
export function compareText(a: string, b: string): number {
  return compareCodePoints(foldCase(a), foldCase(b)) || compareCodePoints(a, b)
}

/** JavaScript compares UTF-16 units, which puts surrogate pairs before U+E000 to U+FFFF; storages don't. */
export function compareCodePoints(a: string, b: string): number {
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
