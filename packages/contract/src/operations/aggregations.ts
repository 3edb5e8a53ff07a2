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
    purpose: 'Returns how many records come before a given one in a filtered and sorted list.',
    example: {
      tableId: '{tableId}',
      recordId: '{recordId}',
      orderBy: [{ fieldId: 'Title', order: 'asc' }],
    },
  },
  getGroupPoints: {
    ...get(`${aggregations}/group-points`),
    purpose: 'Groups the records that a filter lets through, and counts the records of each group.',
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
    purpose: 'Returns which cells an AI model is filling in. There is none, so the list is empty.',
    example: { tableId: '{tableId}' },
  },
  aggregateRecords: {
    ...get(aggregations),
    purpose:
      'Computes statistics, such as a sum, over the cells of the records that a filter lets through: those that are named, or those that a view notes for its fields.',
    example: { tableId: '{tableId}', field: { sum: ['Pages'], percentFilled: ['Title', 'Pages'] } },
  },
  getSearchCount: {
    ...get(`${aggregations}/search-count`),
    purpose:
      'Counts the cells in which a search finds its text, among the records that a filter lets through.',
    example: { tableId: '{tableId}', search: ['mm', 'Title'] },
  },
  getSearchIndex: {
    ...get(`${aggregations}/search-index`),
    purpose:
      'Lists the cells in which a search finds its text, each with the position of its record in the filtered and sorted list.',
    example: {
      tableId: '{tableId}',
      search: ['mm'],
      orderBy: [{ fieldId: 'Title', order: 'asc' }],
    },
  },
}
