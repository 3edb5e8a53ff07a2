import type { KeptValues } from '@gateleg/domain/undo/kept-value-repository'
import { optional } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `kept_values`. */
export const keptValueColumns = columnsFor<Required<KeptValues>>()({
  id: 'id',
  tableId: 'table_id',
  fieldId: 'field_id',
  columnName: optional('column_name'),
  counted: optional('counted_number'),
  expiresTime: 'expires_time',
})

/** A row of `kept_values`. */
export type KeptValueRow = RowOf<typeof keptValueColumns>

/** A row of `kept_parts`: a text of what is kept under an id. */
export interface KeptPartRow {
  id: string
  number: number
  content: string
}
