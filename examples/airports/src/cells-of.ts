import type { CsvRow } from './read-csv.ts'

/** One row of a table, wherever it was read: in the file, or from the server. */
export interface Cells {
  /** Empty when nothing is known. */
  text(column: string): string
  /** Undefined when nothing is known. */
  number(column: string): number | undefined
  isChecked(column: string): boolean
}

/** A row of a file. */
export function cellsOfRow(row: CsvRow): Cells {
  return {
    text: (column) => row[column] ?? '',
    number: (column) => (row[column] ? Number(row[column]) : undefined),
    isChecked: (column) => row[column] === '1',
  }
}

/** The fields of a record, as the server answers them. */
export function cellsOfRecord(fields: Readonly<Record<string, unknown>>): Cells {
  return {
    text: (column) => toText(fields[column]),
    number: (column) => fields[column] as number | undefined,
    isChecked: (column) => fields[column] === true,
  }
}

/** A link is its title. */
function toText(value: unknown): string {
  if (typeof value === 'object') return (value as { readonly title?: string }).title ?? ''
  return (value as string | undefined) ?? ''
}
