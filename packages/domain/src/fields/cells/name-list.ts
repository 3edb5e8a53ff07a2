const comma = /,/g
const commaOrLineBreak = /[,\n\v\f\r\u0085\u2028\u2029]/g

/**
 * Several names in one text: joined by a comma and a space. A name that holds a comma, or begins with
 * a double quote, stands in double quotes, its own double quotes doubled, so that the text can be
 * split into the same names again.
 */
export function joinNames(names: readonly string[]): string {
  return joinQuoted(names, comma)
}

/** Joins names likewise, for a text that is split at line breaks too. */
export function joinNamesAndLines(names: readonly string[]): string {
  return joinQuoted(names, commaOrLineBreak)
}

function joinQuoted(names: readonly string[], separator: RegExp): string {
  return names.map((name) => quoteName(name, separator)).join(', ')
}

function quoteName(name: string, separator: RegExp): string {
  if (name.search(separator) === -1 && !name.startsWith('"')) return name
  return `"${name.replaceAll('"', '""')}"`
}

/** The names of such a text, trimmed, without blank ones. A quote that isn't closed is a quote. */
export function splitNames(text: string): string[] {
  return splitAt(text, comma)
}

/** Splits a text likewise, and at line breaks too: people write lists in both ways. */
export function splitNamesAndLines(text: string): string[] {
  return splitAt(text, commaOrLineBreak)
}

function splitAt(text: string, separator: RegExp): string[] {
  const names: string[] = []
  let start = 0
  while (start < text.length) {
    const { name, end } = quotedNameAt(text, start, separator) ?? bareNameAt(text, start, separator)
    const trimmed = name.trim()
    if (trimmed !== '') names.push(trimmed)
    start = end + 1
  }
  return names
}

interface FoundName {
  readonly name: string
  /** Where the separator after the name is, or the end of the text. */
  readonly end: number
}

function bareNameAt(text: string, start: number, separator: RegExp): FoundName {
  separator.lastIndex = start
  const end = separator.exec(text)?.index ?? text.length
  return { name: text.slice(start, end), end }
}

function quotedNameAt(text: string, start: number, separator: RegExp): FoundName | undefined {
  const open = skipSpace(text, start)
  if (text[open] !== '"') return undefined
  let close = text.indexOf('"', open + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close === -1) return undefined
  const end = skipSpace(text, close + 1)
  separator.lastIndex = end
  if (end < text.length && separator.exec(text)?.index !== end) return undefined
  return { name: text.slice(open + 1, close).replaceAll('""', '"'), end }
}

function skipSpace(text: string, start: number): number {
  let position = start
  while (text[position] === ' ') position++
  return position
}
