import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const recordRoutes: FeatureRoutes<'records'> = {
  createRecords: {
    ...post('/table/{tableId}/record', 201, { carriesRecords: true, answersRecords: true }),
    purpose:
      'Adds records, all of them or none, and answers them in the order in which they were sent.',
    example: { tableId: '{tableId}', records: [{ fields: { Title: 'Persuasion', Pages: 249 } }] },
  },
  listRecords: {
    ...get('/table/{tableId}/record', { answersRecords: true }),
    purpose:
      'Lists the records that a filter lets through, page by page, in the order that is asked for, else in that in which they were created; `nextCursor` leads to the next page.',
    example: {
      tableId: '{tableId}',
      take: 2,
      projection: ['Title', 'Pages'],
      filter: {
        conjunction: 'and',
        filterSet: [{ fieldId: 'Pages', operator: 'isGreater', value: 100 }],
      },
      orderBy: [{ fieldId: 'Title', order: 'asc' }],
    },
  },
  getRecord: {
    ...get('/table/{tableId}/record/{recordId}'),
    isVersioned: true,
    purpose: 'Answers one record.',
    example: { tableId: '{tableId}', recordId: '{recordId}' },
  },
  updateRecord: {
    ...patch('/table/{tableId}/record/{recordId}'),
    isVersioned: true,
    purpose:
      'Changes the listed cells of one record; null empties a cell, and what is not listed stays.',
    example: { tableId: '{tableId}', recordId: '{recordId}', record: { fields: { Pages: 475 } } },
  },
  updateRecords: {
    ...patch('/table/{tableId}/record', 200, { carriesRecords: true, answersRecords: true }),
    purpose: 'Changes the listed cells of several records, of all of them or of none.',
    example: {
      tableId: '{tableId}',
      fieldKeyType: 'id',
      records: [{ id: '{recordId}', fields: { '{fieldId}': 475 } }],
    },
  },
  deleteRecord: {
    ...del('/table/{tableId}/record/{recordId}'),
    purpose: 'Moves one record to the trash of its table.',
    example: { tableId: '{tableId}', recordId: '{recordId}' },
  },
  deleteRecords: {
    ...del('/table/{tableId}/record'),
    purpose: 'Moves several records to the trash of their table, all of them or none.',
    example: { tableId: '{tableId}', recordIds: ['{recordId}'] },
  },
  duplicateRecord: {
    ...post('/table/{tableId}/record/{recordId}/duplicate'),
    purpose:
      'Adds a record with the cells of another one, at a place in the row order of a view where one is named. Links to records that take one link at most are left out.',
    example: {
      tableId: '{tableId}',
      recordId: '{recordId}',
      viewId: '{viewId}',
      anchorId: '{recordId}',
      position: 'after',
    },
  },
  getRecordStatus: {
    ...get('/table/{tableId}/record/{recordId}/status'),
    purpose: 'Tells whether a list still shows a record, and whether the record lies in the trash.',
    example: { tableId: '{tableId}', recordId: '{recordId}', viewId: '{viewId}' },
  },
  submitForm: {
    ...post('/table/{tableId}/record/form-submit'),
    purpose:
      'Adds a record of what was filled into a form: of the fields that it shows, named by their ids if nothing else is said. All others get their defaults.',
    example: {
      tableId: '{tableId}',
      viewId: '{formViewId}',
      fields: { '{titleFieldId}': 'Persuasion' },
    },
  },
}
