import type { SignatureHead } from '@gateleg/domain/indexes/search-signature-repository'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `search_heads`. */
export const searchHeadColumns = columnsFor<SignatureHead>()({
  tableId: 'table_id',
  slots: 'slots',
  signed: 'signed',
  whole: 'whole',
})

/** A row of `search_heads`. */
export type SearchHeadRow = RowOf<typeof searchHeadColumns>

/** A row of `search_segments`: the bits of the records of a segment in one slot, in base 64. */
export interface SearchSegmentRow {
  readonly table_id: string
  readonly slot: number
  readonly segment: number
  readonly bits: string
}

/** A row of `search_changes`: records that a statement changed, as `rangesText` has them. */
export interface SearchChangeRow {
  readonly id: string
  readonly table_id: string
  readonly numbers: string
}
