/**
 * Several names in one text: joined by a comma and a space. A name that holds a comma, or begins with
 * a double quote, stands in double quotes, its own double quotes doubled, so that the text can be
 * split into the same names again.
 */
export function joinNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ')
}

function quoteName(name: string): string {
  if (!name.includes(',') && !name.startsWith('"')) return name
  return `"${name.replaceAll('"', '""')}"`
}

/** The names of such a text, trimmed, without blank ones. A quote that isn't closed is a quote. */
export function splitNames(text: string): string[] {
  const names: string[] = []
  let start = 0
  while (start < text.length) {
    const { name, end } = quotedNameAt(text, start) ?? bareNameAt(text, start)
    const trimmed = name.trim()
    if (trimmed !== '') names.push(trimmed)
    start = end + 1
  }
  return names
}

interface FoundName {
  readonly name: string
  /** Where the comma after the name is, or the end of the text. */
  readonly end: number
}

function bareNameAt(text: string, start: number): FoundName {
  const comma = text.indexOf(',', start)
  const end = comma === -1 ? text.length : comma
  return { name: text.slice(start, end), end }
}

function quotedNameAt(text: string, start: number): FoundName | undefined {
  const open = skipSpace(text, start)
  if (text[open] !== '"') return undefined
  let close = text.indexOf('"', open + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close === -1) return undefined
  const end = skipSpace(text, close + 1)
  if (end < text.length && text[end] !== ',') return undefined
  return { name: text.slice(open + 1, close).replaceAll('""', '"'), end }
}

function skipSpace(text: string, start: number): number {
  let position = start
  while (text[position] === ' ') position++
  return position
}
