import { type FeatureRoutes, post } from '../operation.ts'

export const undoRoutes: FeatureRoutes<'undo'> = {
  undoChange: {
    ...post('/table/{tableId}/undo-redo/undo'),
    purpose:
      "Undoes the caller's last change in a table, in the window that `X-Window-Id` names: cells, settings of views, places of rows, names and conversions of fields, and records, fields and views that were added or deleted. Where somebody has changed the same thing since, nothing is undone, and the answer says why.",
    example: { tableId: '{tableId}' },
  },
  redoChange: {
    ...post('/table/{tableId}/undo-redo/redo'),
    purpose:
      'Redoes what the caller undid last in a table, in the window that `X-Window-Id` names, unless they did something else there since.',
    example: { tableId: '{tableId}' },
  },
}
