import type { Import } from '@gateleg/domain/imports/import'
import type { ImportPiece } from '@gateleg/domain/imports/import-repository'
import { json } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `imports`. */
export const importColumns = columnsFor<Import>()({
  id: 'id',
  baseId: 'base_id',
  tableId: 'table_id',
  fieldIds: json('field_ids'),
  state: 'state',
  progress: json('progress'),
  createdBy: 'created_by',
  createdTime: 'created_time',
  expiresTime: 'expires_time',
})

/** A row of `imports`. */
export type ImportRow = RowOf<typeof importColumns>

/** The columns of `import_pieces`. */
export const importPieceColumns = columnsFor<ImportPiece>()({
  importId: 'import_id',
  number: 'number',
  rows: json('content'),
})

/** A row of `import_pieces`. */
export type ImportPieceRow = RowOf<typeof importPieceColumns>
