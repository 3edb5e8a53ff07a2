import { type FeatureRoutes, get } from '../operation.ts'

export const exportRoutes: FeatureRoutes<'exports'> = {
  exportTable: {
    ...get('/export/{tableId}', { answersText: 'text/csv' }),
    purpose:
      'Exports the records of a table, or what a view shows of them, as a CSV file, however many there are.',
    example: { tableId: '{tableId}', projection: ['Title', 'Pages'], bom: false },
  },
}
