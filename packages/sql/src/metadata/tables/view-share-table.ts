import type { ViewShare } from '@gateleg/domain/views/view-share'
import { json } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `view_shares`. */
export const viewShareColumns = columnsFor<ViewShare>()({
  viewId: 'view_id',
  tableId: 'table_id',
  shareId: 'share_id',
  settings: json('settings'),
  passwordHash: 'password_hash',
  passwordTag: 'password_tag',
})

/** A row of `view_shares`. */
export type ViewShareRow = RowOf<typeof viewShareColumns>
