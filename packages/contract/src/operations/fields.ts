import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

export const fieldRoutes: FeatureRoutes<'fields'> = {
  createField: {
    ...post('/table/{tableId}/field'),
    isVersioned: true,
    purpose:
      'Adds a field to a table; only its `type` is required for most. A link needs `options.foreignTableId` and `options.relationship`, a formula `options.expression`, a rollup `lookupOptions`, a lookup `isLookup: true`, `lookupOptions` and the `type` of the field that it shows. What is left out gets a default. docs/fields.md of the repository lists the options of every type.',
    example: {
      tableId: '{tableId}',
      type: 'singleSelect',
      name: 'Status',
      options: { choices: [{ name: 'unread' }, { name: 'read', color: 'green' }] },
    },
  },
  listFields: {
    ...get('/table/{tableId}/field'),
    purpose: 'Lists the fields of a table: in their own order, or in that of a view.',
    example: { tableId: '{tableId}' },
  },
  getDeleteReferences: {
    ...get('/table/{tableId}/field/delete-references'),
    purpose:
      'Returns which other fields would be in error, or would be deleted too, if fields were deleted.',
    example: { tableId: '{tableId}', fieldIds: ['{fieldId}'] },
  },
  getField: {
    ...get('/table/{tableId}/field/{fieldId}'),
    isVersioned: true,
    purpose: 'Returns one field with its options.',
    example: { tableId: '{tableId}', fieldId: '{fieldId}' },
  },
  listFieldFilterRecords: {
    ...get('/table/{tableId}/field/{fieldId}/filter-link-records'),
    purpose:
      'Returns the titles of the records that the filter of a link, or of a field that reads through a link, names by their ids.',
    example: { tableId: '{tableId}', fieldId: '{linkFieldId}' },
  },
  updateField: {
    ...patch('/table/{tableId}/field/{fieldId}'),
    purpose:
      'Changes the name, the description or the column name of a field; its values stay as they are. Other members are ignored: type, options, unique and notNull are changed by converting the field.',
    example: { tableId: '{tableId}', fieldId: '{fieldId}', name: 'Number of pages' },
  },
  convertField: {
    ...put('/table/{tableId}/field/{fieldId}/convert'),
    isVersioned: true,
    purpose:
      'Converts a field to another type, or changes its options. Values that the new type can read are kept, others are emptied; plan the conversion first to see how many. A number that becomes text keeps only the decimals that are shown.',
    example: { tableId: '{tableId}', fieldId: '{fieldId}', type: 'singleLineText' },
  },
  duplicateField: {
    ...post('/table/{tableId}/field/{fieldId}/duplicate'),
    isVersioned: true,
    purpose: 'Copies a field with its values.',
    example: { tableId: '{tableId}', fieldId: '{fieldId}', name: 'Pages of the first edition' },
  },
  deleteField: {
    ...del('/table/{tableId}/field/{fieldId}'),
    purpose: 'Moves a field with its values to the trash of its table.',
    example: { tableId: '{tableId}', fieldId: '{fieldId}' },
  },
  deleteFields: {
    ...del('/table/{tableId}/field'),
    purpose:
      'Moves several fields with their values to the trash of their table, all of them or none.',
    example: { tableId: '{tableId}', fieldIds: ['{fieldId}'] },
  },
  planCreation: {
    ...post('/table/{tableId}/field/plan'),
    purpose: 'Plans the creation of a field: returns what it would take, and creates nothing.',
    example: { tableId: '{tableId}', type: 'formula', options: { expression: '{{fieldId}} / 2' } },
  },
  planConversion: {
    ...put('/table/{tableId}/field/{fieldId}/plan', 201),
    purpose:
      'Plans the conversion of a field: returns what would become of its values, and converts nothing. A number that becomes text counts as kept, although only the decimals that are shown are.',
    example: { tableId: '{tableId}', fieldId: '{fieldId}', type: 'checkbox' },
  },
  planDeletion: {
    ...del('/table/{tableId}/field/{fieldId}/plan'),
    purpose:
      'Plans the deletion of a field: returns what else it would affect, and deletes nothing.',
    example: { tableId: '{tableId}', fieldId: '{fieldId}' },
  },
}
