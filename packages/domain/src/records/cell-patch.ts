import type { Cell } from '../fields/cell.ts'

/** What a write says of the cells of one record: one per column of the schema, undefined where it says nothing. */
export type CellPatch = readonly (Cell | null | undefined)[]

/** Cells that replace those of some columns: by the index of the column, one cell for each patch. */
export type ReplacedColumns = ReadonlyMap<number, CellPatch>
