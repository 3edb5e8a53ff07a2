import type { Cell } from '../../fields/cell.ts'

/**
 * The cells that a write sets in one record: one value for each column of the schema, undefined for a column that the
 * write leaves alone.
 */
export type CellPatch = readonly (Cell | null | undefined)[]

/** New cells for some columns: by the index of the column, one cell for each patch. */
export type ReplacedColumns = ReadonlyMap<number, CellPatch>
