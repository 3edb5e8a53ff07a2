import type { Cell } from '../fields/cell.ts'

/** Values as a caller sent them, for one record. */
export interface RecordInput {
  readonly fields: Readonly<Record<string, unknown>>
}

/** One value per column of the schema; undefined where the caller named none. */
export type Row = (Cell | null | undefined)[]
