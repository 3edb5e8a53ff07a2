import { z } from 'zod'
import { type DomainError, invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'
import { textUpTo } from '../values/storable-text.ts'
import { readTabbedText } from './tabbed-text.ts'

/** What is pasted, as a caller sends it. */
export const contentSchema = z
  .union([
    textUpTo(limits.pastedLength),
    z.array(z.array(z.unknown()).max(limits.fieldsPerTable)).max(limits.selectedRows),
  ])
  .describe(
    'The cells: a text with tabs between cells and line breaks between rows, as spreadsheets have it, or a list of rows, each a list of values',
  )

/** Cells that are pasted. */
export interface PastedContent {
  /** One at least. Rows may have fewer cells than others: those that they lack are empty. */
  readonly rows: readonly (readonly unknown[])[]
  /** Cells of the longest row. */
  readonly width: number
}

/** Reads what is pasted. Throws validation_error for more cells than may be pasted. */
export async function readContent(
  tx: Pick<ReadTx, 'giveWay'>,
  content: z.output<typeof contentSchema>,
): Promise<PastedContent> {
  const source =
    typeof content === 'string' ? readTabbedText(content, limits.fieldsPerTable) : content
  const rows: (readonly unknown[])[] = []
  let width = 1
  for (const row of source) {
    rows.push(row)
    width = Math.max(width, row.length)
    if (width > limits.fieldsPerTable) throw tooMuch(`${limits.fieldsPerTable} columns`)
    if (rows.length > limits.selectedRows) throw tooMuch(`${limits.selectedRows} rows`)
    if (rows.length * width > limits.selectedCells) throw tooMuch(`${limits.selectedCells} cells`)
    await tx.giveWay()
  }
  return { rows: rows.length > 0 ? rows : [[null]], width }
}

function tooMuch(most: string): DomainError {
  return invalidAt(['content'], `must be ${most} at most`)
}

/** The cell of the content at the place, where it is repeated in both directions. */
export function contentAt({ rows, width }: PastedContent, row: number, column: number): unknown {
  return rows[row % rows.length]?.[column % width] ?? null
}

/** How far content goes that is pasted into a range: as often as it fits without rest, else once. */
export function extentOf(content: number, range: number): number {
  return range % content === 0 ? range : content
}
