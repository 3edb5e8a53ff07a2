/** A value that orders records, or tells groups of them apart; null where the cell is empty. */
export type SortValue = string | number | null
