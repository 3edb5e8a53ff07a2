/*
 * Cells as spreadsheets put them on the clipboard: tabs between cells, line breaks between rows. A cell that holds one
 * of these, or a double quote, stands in double quotes, its own double quotes doubled.
 */

const needsQuotes = /[\t\n\r"]/

function printCell(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A row of such a text. */
export function printRow(cells: readonly string[]): string {
  return cells.map(printCell).join('\t')
}

/** The text of rows that were printed: `readTabbedText` reads the same cells again, where all rows have as many. */
export function joinRows(rows: readonly string[]): string {
  const text = rows.join('\n')
  // A line break at the end would be taken for the end of the last row.
  return text.endsWith('\n') ? `${text}""` : text
}

/**
 * The rows of the text, with as many cells as each of them has. A line break at the end begins no row, and a quote that
 * isn't closed is a quote. Others may have their turn after each row; a row ends early when it has more cells than `most`,
 * by which it can be told that it is too long.
 */
export function* readTabbedText(text: string, most: number): Generator<readonly string[]> {
  let position = 0
  do {
    const cells: string[] = []
    for (;;) {
      const { cell, end } = cellAt(text, position)
      cells.push(cell)
      position = end + 1
      if (text[end] !== '\t' || cells.length > most) break
    }
    // A line break may have two characters.
    if (text[position - 1] === '\r' && text[position] === '\n') position++
    yield cells
  } while (position < text.length)
}

interface FoundCell {
  readonly cell: string
  /** Where the tab or line break after the cell is, or the end of the text. */
  readonly end: number
}

const separator = /[\t\n\r]/g

function cellAt(text: string, start: number): FoundCell {
  const close = text[start] === '"' ? closingQuote(text, start + 1) : -1
  const from = close === -1 ? start : close + 1
  separator.lastIndex = from
  const end = separator.exec(text)?.index ?? text.length
  if (close === -1) return { cell: text.slice(start, end), end }
  // What stands behind the closing quote belongs to the cell: nothing is lost.
  const quoted = text.slice(start + 1, close).replaceAll('""', '"')
  return { cell: quoted + text.slice(from, end), end }
}

/**
 * Where the quoted part ends; -1 where it never does. That is found out at most once for a text: after it, all runs of
 * quotes are even, so that a later quoted part ends within the run with which it begins.
 */
function closingQuote(text: string, start: number): number {
  let close = text.indexOf('"', start)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  return close
}
