import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

export const tableRoutes: FeatureRoutes<'tables'> = {
  createTable: {
    ...post('/base/{baseId}/table', 201, { carriesRecords: true, answersRecords: true }),
    isVersioned: true,
    purpose:
      'Creates a table with its fields, views and records. What is left out gets a default; `records: []` makes a table without records.',
    example: {
      baseId: '{baseId}',
      name: 'Readers',
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'date', name: 'Joined' },
      ],
      records: [{ fields: { Name: 'Ada', Joined: '2026-01-31' } }],
    },
  },
  listTables: {
    ...get('/base/{baseId}/table'),
    purpose: 'Lists the tables of a base in the order of its tree.',
    example: { baseId: '{baseId}' },
  },
  getTable: {
    ...get('/base/{baseId}/table/{tableId}'),
    isVersioned: true,
    purpose:
      'Returns a table: its name, description, icon and place in the base. Its fields, views and records have operations of their own.',
    example: { baseId: '{baseId}', tableId: '{tableId}' },
  },
  getDefaultView: {
    ...get('/base/{baseId}/table/{tableId}/default-view-id'),
    purpose: 'Returns the id of the view with which a table opens.',
    example: { baseId: '{baseId}', tableId: '{tableId}' },
  },
  getTablePermissions: {
    ...get('/base/{baseId}/table/{tableId}/permission'),
    purpose:
      'Says of every action on a table, its views, its records and its fields whether the caller may take it, by their role and the scopes of their access token.',
    example: { baseId: '{baseId}', tableId: '{tableId}' },
  },
  renameTable: {
    ...put('/base/{baseId}/table/{tableId}/name'),
    purpose: 'Renames a table.',
    example: { baseId: '{baseId}', tableId: '{tableId}', name: 'Our books' },
  },
  describeTable: {
    ...put('/base/{baseId}/table/{tableId}/description'),
    purpose: 'Sets the description of a table.',
    example: {
      baseId: '{baseId}',
      tableId: '{tableId}',
      description: 'All that stand on the shelves',
    },
  },
  setTableIcon: {
    ...put('/base/{baseId}/table/{tableId}/icon'),
    purpose: 'Sets the icon of a table, an emoji.',
    example: { baseId: '{baseId}', tableId: '{tableId}', icon: '📚' },
  },
  moveTable: {
    ...put('/base/{baseId}/table/{tableId}/order'),
    purpose: 'Moves a table before or after another one of its base.',
    example: {
      baseId: '{baseId}',
      tableId: '{tableId}',
      anchorId: '{otherTableId}',
      position: 'after',
    },
  },
  duplicateTable: {
    ...post('/base/{baseId}/table/{tableId}/duplicate'),
    isVersioned: true,
    purpose:
      'Copies a table with its fields and views, and with its records where `includeRecords` is true, and says which of them became which. The copy comes right after the original.',
    example: { baseId: '{baseId}', tableId: '{tableId}', name: 'More books', includeRecords: true },
  },
  toggleIndex: {
    ...post('/base/{baseId}/table/{tableId}/index'),
    purpose:
      'Switches the search index of a table on or off: off where there is one, else on. The index is made or removed in the background; searches find the same with it and without it.',
    example: { baseId: '{baseId}', tableId: '{tableId}', type: 'search' },
  },
  listActiveIndexes: {
    ...post('/base/{baseId}/table/{tableId}/activated-index'),
    purpose:
      'Lists which of the indexes that can be switched on or off are on for a table, including those that are still being made.',
    example: { baseId: '{baseId}', tableId: '{tableId}' },
  },
  deleteTable: {
    ...del('/base/{baseId}/table/{tableId}'),
    purpose: 'Moves a table with everything in it to the trash of its base.',
    example: { baseId: '{baseId}', tableId: '{tableId}' },
  },
  deleteTablePermanently: {
    ...del('/base/{baseId}/table/{tableId}/permanent'),
    purpose: 'Deletes a table for good, with everything in it, whether or not it is in the trash.',
    example: { baseId: '{baseId}', tableId: '{tableId}' },
  },
}
