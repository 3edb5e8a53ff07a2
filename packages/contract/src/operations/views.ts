import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

const ofView = { tableId: '{tableId}', viewId: '{viewId}' }

export const viewRoutes: FeatureRoutes<'views'> = {
  createView: {
    ...post('/table/{tableId}/view'),
    isVersioned: true,
    purpose:
      'Adds a view to a table, with the given settings or the defaults of its kind. Fields are named by their ids.',
    example: {
      tableId: '{tableId}',
      name: 'Long books',
      type: 'grid',
      filter: {
        conjunction: 'and',
        filterSet: [{ fieldId: '{fieldId}', operator: 'isGreater', value: 400 }],
      },
      options: { rowHeight: 'tall' },
    },
  },
  listViews: {
    ...get('/table/{tableId}/view'),
    purpose: 'Lists the views of a table in their order.',
    example: { tableId: '{tableId}' },
  },
  getView: {
    ...get('/table/{tableId}/view/{viewId}'),
    isVersioned: true,
    purpose: 'Returns one view of a table.',
    example: ofView,
  },
  renameView: {
    ...put('/table/{tableId}/view/{viewId}/name'),
    purpose: 'Renames a view.',
    example: { ...ofView, name: 'All books' },
  },
  describeView: {
    ...put('/table/{tableId}/view/{viewId}/description'),
    purpose: 'Sets the description of a view; null removes it.',
    example: { ...ofView, description: 'What stands on the shelves' },
  },
  setViewFilter: {
    ...put('/table/{tableId}/view/{viewId}/filter'),
    purpose:
      'Sets the filter of a view, which decides which records it shows; null removes it. A condition on a field that is deleted later has no effect until the field is restored.',
    example: {
      ...ofView,
      filter: {
        conjunction: 'and',
        filterSet: [{ fieldId: '{fieldId}', operator: 'isLess', value: 200 }],
      },
    },
  },
  setViewSort: {
    ...put('/table/{tableId}/view/{viewId}/sort'),
    purpose: 'Sets the sort of a view, which decides the order of its records; null removes it.',
    example: { ...ofView, sort: { sortObjs: [{ fieldId: '{fieldId}', order: 'desc' }] } },
  },
  sortViewManually: {
    ...put('/table/{tableId}/view/{viewId}/manual-sort'),
    purpose:
      'Sorts the rows of a view once and keeps them in that order, for all records of the table as they are now. From then on rows stay where they are until they are moved, and new records come last. Setting a sort again ends this.',
    example: { ...ofView, sortObjs: [{ fieldId: '{fieldId}', order: 'asc' }] },
  },
  moveRows: {
    ...put('/table/{tableId}/view/{viewId}/record-order'),
    purpose:
      'Moves records before or after another one in the row order of a view, in the order in which they are named.',
    example: {
      ...ofView,
      anchorId: '{otherRecordId}',
      position: 'after',
      recordIds: ['{recordId}'],
    },
  },
  setViewGroup: {
    ...put('/table/{tableId}/view/{viewId}/group'),
    purpose: 'Sets by which fields a view groups its records; null removes the groups.',
    example: { ...ofView, group: [{ fieldId: '{fieldId}', order: 'asc' }] },
  },
  setViewOptions: {
    ...patch('/table/{tableId}/view/{viewId}/options'),
    purpose:
      'Sets options that the kind of view has. What is left out stays as it is; null removes an option.',
    example: { ...ofView, options: { rowHeight: 'tall' } },
  },
  setColumnMeta: {
    ...put('/table/{tableId}/view/{viewId}/column-meta'),
    bodyMember: 'columnMeta',
    purpose:
      'Sets how a view shows fields: their order, whether they are hidden, and what else the kind of view has, such as widths. The body is a list of fields; what is left out of a field stays as it is, and null removes it.',
    example: {
      ...ofView,
      columnMeta: [{ fieldId: '{fieldId}', columnMeta: { width: 80, statisticFunc: 'sum' } }],
    },
  },
  moveView: {
    ...put('/table/{tableId}/view/{viewId}/order'),
    purpose: 'Moves a view before or after another one of its table.',
    example: { ...ofView, anchorId: '{otherViewId}', position: 'after' },
  },
  lockView: {
    ...put('/table/{tableId}/view/{viewId}/locked'),
    purpose: "Locks or unlocks a view. A locked view can't be changed or deleted; its records can.",
    example: { ...ofView, isLocked: true },
  },
  duplicateView: {
    ...post('/table/{tableId}/view/{viewId}/duplicate'),
    isVersioned: true,
    purpose: 'Copies a view. The copy comes after all other views of the table.',
    example: ofView,
  },
  deleteView: {
    ...del('/table/{tableId}/view/{viewId}'),
    purpose: 'Moves a view to the trash of its table.',
    example: ofView,
  },
  listFilterLinkRecords: {
    ...get('/table/{tableId}/view/{viewId}/filter-link-records'),
    purpose: 'Returns the titles of the records that the filter of a view names by their ids.',
    example: ofView,
  },
  setShareMeta: {
    ...put('/table/{tableId}/view/{viewId}/share-meta'),
    purpose:
      'Sets what visitors of a shared view may see and do, and whether they need a password. What is left out stays as it is; null removes the password.',
    example: { ...ofView, allowCopy: true, password: 'open sesame' },
  },
  enableShare: {
    ...post('/table/{tableId}/view/{viewId}/enable-share'),
    purpose:
      'Shares a view with everybody who has its link, and returns the id of which the link is made. A view that is already shared keeps its link.',
    example: ofView,
  },
  disableShare: {
    ...post('/table/{tableId}/view/{viewId}/disable-share'),
    purpose:
      'Stops sharing a view: its link stops working at once and for good. The settings of the share are kept.',
    example: ofView,
  },
  refreshShareId: {
    ...post('/table/{tableId}/view/{viewId}/refresh-share-id'),
    purpose: 'Gives a shared view a new link; the old one stops working at once.',
    example: { tableId: '{tableId}', viewId: '{sharedViewId}' },
  },
}
