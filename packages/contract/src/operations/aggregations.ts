import { type FeatureRoutes, get } from '../operation.ts'

const aggregations = '/table/{tableId}/aggregation'

export const aggregationRoutes: FeatureRoutes<'aggregations'> = {
  getRowCount: {
    ...get(`${aggregations}/row-count`),
    purpose: 'Counts the records that a filter lets through.',
    example: {
      tableId: '{tableId}',
      filter: { conjunction: 'and', filterSet: [{ fieldId: 'Title', operator: 'isNotEmpty' }] },
    },
  },
  getRecordIndex: {
    ...get(`${aggregations}/record-index`),
    purpose: 'Tells how many records stand before one in what a filter and a sort find.',
    example: {
      tableId: '{tableId}',
      recordId: '{recordId}',
      orderBy: [{ fieldId: 'Title', order: 'asc' }],
    },
  },
  getGroupPoints: {
    ...get(`${aggregations}/group-points`),
    purpose: 'Tells the groups of what a filter lets through, and how many records each has.',
    example: { tableId: '{tableId}', groupBy: [{ fieldId: 'Title', order: 'asc' }] },
  },
  getCalendarDays: {
    ...get(`${aggregations}/calendar-daily-collection`),
    purpose: 'Counts the records of each day of a calendar, and shows some of them.',
    example: {
      tableId: '{otherTableId}',
      startDate: '1775-12-01',
      endDate: '1775-12-31',
      startDateFieldId: '{dateFieldId}',
      endDateFieldId: '{dateFieldId}',
    },
  },
  getTaskStatus: {
    ...get(`${aggregations}/task-status-collection`),
    purpose: 'Tells which cells a model is filling in: none.',
    example: { tableId: '{tableId}' },
  },
  aggregateRecords: {
    ...get(aggregations),
    purpose: 'Works statistics out of the cells of the records that a filter lets through.',
    example: { tableId: '{tableId}', field: { sum: ['Pages'], percentFilled: ['Title', 'Pages'] } },
  },
  getSearchCount: {
    ...get(`${aggregations}/search-count`),
    purpose:
      'Counts the cells that show the text of a search, of the records that a filter lets through.',
    example: { tableId: '{tableId}', search: ['mm', 'Title'] },
  },
  getSearchIndex: {
    ...get(`${aggregations}/search-index`),
    purpose:
      'Lists the cells that show the text of a search, each with the place of its record in what a filter and a sort find.',
    example: {
      tableId: '{tableId}',
      search: ['mm'],
      orderBy: [{ fieldId: 'Title', order: 'asc' }],
    },
  },
}
