import { type FeatureRoutes, get } from '../operation.ts'

export const historyRoutes: FeatureRoutes<'history'> = {
  listRecordHistory: {
    ...get('/table/{tableId}/record/{recordId}/history'),
    purpose:
      'Lists who changed which cell of a record, from what to what, the newest first, 20 to a page; `nextCursor` leads to the next one. Empty where no history is kept.',
    example: { tableId: '{tableId}', recordId: '{recordId}' },
  },
  listTableHistory: {
    ...get('/table/{tableId}/record/history'),
    purpose:
      'Lists who changed which cell of the records of a table, those in the trash too, the newest first, 20 to a page; `nextCursor` leads to the next one. Empty where no history is kept.',
    example: { tableId: '{tableId}', startDate: '2026-01-01T00:00:00Z' },
  },
}
