import { type FeatureRoutes, get } from '../operation.ts'

export const historyRoutes: FeatureRoutes<'history'> = {
  listRecordHistory: {
    ...get('/table/{tableId}/record/{recordId}/history'),
    purpose:
      'Lists the changes of a record: who changed which cell, from what to what, newest first, 20 to a page; `nextCursor` leads to the next page. The list is empty where no history is kept.',
    example: { tableId: '{tableId}', recordId: '{recordId}' },
  },
  listTableHistory: {
    ...get('/table/{tableId}/record/history'),
    purpose:
      'Lists the changes of the records of a table, those in the trash too: who changed which cell, from what to what, newest first, 20 to a page; `nextCursor` leads to the next page. The list is empty where no history is kept.',
    example: { tableId: '{tableId}', startDate: '2026-01-01T00:00:00Z' },
  },
}
