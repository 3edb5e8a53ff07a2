import type { Flag } from '../column-codecs.ts'

/** A row of `table_rebuilds`: a table that is copied, and how far that is. */
export interface TableRebuildRow {
  table_id: string
  /** The columns and conditions of the copy, as JSON: see `CopyShape`. */
  shape: string
  copied_number: number
  is_ready: Flag
  /** The position of the transaction in which the copy took the place of the table; null before. */
  exchanged_at: string | null
}

const prefixOfCopies = '__copy_'
const prefixOfNotes = '__copied_'

/** The name of the copy of a table, in its base. */
export function copyNameOf(tableId: string): string {
  return `${prefixOfCopies}${tableId}`
}

/** The name of the table that notes which states of its records were copied. */
export function notesNameOf(tableId: string): string {
  return `${prefixOfNotes}${tableId}`
}

/** Whether a table is there for the copying of another one alone. */
export function isOfRebuild(name: string): boolean {
  return name.startsWith(prefixOfCopies) || name.startsWith(prefixOfNotes)
}
