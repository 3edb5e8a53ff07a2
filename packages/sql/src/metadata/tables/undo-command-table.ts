import type { UndoCommand } from '@gateleg/domain/undo/undo-repository'
import { flag, json } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `undo_commands`. */
export const undoCommandColumns = columnsFor<UndoCommand>()({
  userId: 'user_id',
  number: 'number',
  tableId: 'table_id',
  windowId: 'window_id',
  isUndone: flag('is_undone'),
  steps: json('steps'),
  expiresTime: 'expires_time',
})

/** A row of `undo_commands`. */
export type UndoCommandRow = RowOf<typeof undoCommandColumns>
