import type { NewField } from './airport-tables.ts'
import type { CsvRow } from './read-csv.ts'

/** The cells of a row, typed as their fields ask. What isn't known is left out. */
export function toCells(row: CsvRow, fields: readonly NewField[]): Record<string, unknown> {
  const cells: Record<string, unknown> = {}
  for (const { name = '', type } of fields) {
    const text = row[name]
    if (text === undefined) throw new Error(`The file has no column "${name}"`)
    if (text === '') continue
    if (type === 'number') cells[name] = toNumber(text)
    else if (type === 'checkbox') cells[name] = text === '1'
    else cells[name] = text
  }
  return cells
}

function toNumber(text: string): number {
  const value = Number(text)
  if (Number.isNaN(value)) throw new Error(`"${text}" is no number`)
  return value
}
