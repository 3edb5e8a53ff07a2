/** A table of Markdown whose columns are aligned, as the formatter wants it. */
export function markdownTable(
  titles: readonly string[],
  lines: readonly (readonly string[])[],
): string {
  const rows = [titles, ...lines].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = titles.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  )
  const toLine = (cells: readonly string[], filler: string) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, filler)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [toLine(head, ' '), toLine([], '-'), ...body.map((cells) => toLine(cells, ' '))].join('\n')
}
