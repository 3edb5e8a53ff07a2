import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const recordRoutes: FeatureRoutes<'records'> = {
  createRecords: {
    ...post('/table/{tableId}/record', 201, { carriesRecords: true, answersRecords: true }),
    purpose:
      'Adds records, all of them or none, and returns them in the order in which they were sent.',
    example: { tableId: '{tableId}', records: [{ fields: { Title: 'Persuasion', Pages: 249 } }] },
  },
  listRecords: {
    ...get('/table/{tableId}/record', { answersRecords: true }),
    purpose:
      'Lists the records that a filter lets through, page by page, in the given order, or else in the order in which they were created; `nextCursor` leads to the next page.',
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
    purpose: 'Returns one record.',
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
    purpose: 'Changes the listed cells of several records, in all of them or in none.',
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
      'Copies a record. Where a view is named, the copy gets a place in its row order. Links to records that take one link at most are left out.',
    example: {
      tableId: '{tableId}',
      recordId: '{recordId}',
      viewId: '{viewId}',
      anchorId: '{recordId}',
      position: 'after',
    },
  },
  listNamedPeople: {
    ...get('/table/{tableId}/record/collaborators'),
    purpose:
      'Lists the people whom the cells of a field name, by name, to choose from in a filter.',
    example: { tableId: '{tableId}', fieldId: '{userFieldId}' },
  },
  getRecordStatus: {
    ...get('/table/{tableId}/record/{recordId}/status'),
    purpose: 'Returns whether a list still shows a record, and whether the record is in the trash.',
    example: { tableId: '{tableId}', recordId: '{recordId}', viewId: '{viewId}' },
  },
  submitForm: {
    ...post('/table/{tableId}/record/form-submit'),
    purpose:
      'Adds a record from a submitted form, with values for the fields that the form shows; these are named by their ids unless the call says otherwise. All other fields get their defaults.',
    example: {
      tableId: '{tableId}',
      viewId: '{formViewId}',
      fields: { '{titleFieldId}': 'Persuasion' },
    },
  },
  pressButton: {
    ...post('/table/{tableId}/record/{recordId}/{fieldId}/button-click', 200),
    isVersioned: true,
    purpose:
      'Counts a press of a button, unless it has had as many as its field lets it have. No workflow is run by it.',
    example: { tableId: '{tableId}', recordId: '{recordId}', fieldId: '{buttonFieldId}' },
  },
  resetButton: {
    ...post('/table/{tableId}/record/{recordId}/{fieldId}/button-reset', 200),
    isVersioned: true,
    purpose: 'Sets the presses of a button back to none, where its field lets people do that.',
    example: { tableId: '{tableId}', recordId: '{recordId}', fieldId: '{buttonFieldId}' },
  },
}
