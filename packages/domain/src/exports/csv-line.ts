/** What makes a cell need quotes: what separates cells and lines, and quotes themselves. */
const needsQuotes = /[",\r\n]/

/**
 * A line of a CSV file as RFC 4180 has it: cells between commas, quoted where they must be, and a line break. Not a
 * library: it is one rule, and the domain imports none.
 */
export function toCsvLine(cells: readonly string[]): string {
  const line = cells.map(toCsvCell).join(',')
  // An empty line would be read as none at all.
  return `${line === '' ? '""' : line}\r\n`
}

function toCsvCell(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What makes a spreadsheet take a text for a formula. */
const startsFormula = /^[=+\-@\t\r]/

/** The text with an apostrophe before it where a spreadsheet would take it for a formula. */
export function guardFormula(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text
}
