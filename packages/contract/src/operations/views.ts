import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

const ofView = { tableId: '{tableId}', viewId: '{viewId}' }

export const viewRoutes: FeatureRoutes<'views'> = {
  createView: {
    ...post('/table/{tableId}/view'),
    isVersioned: true,
    purpose:
      'Adds a view to a table, with all that it is to show, or with the defaults of its kind. Fields are named by their ids.',
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
    purpose: 'Answers one view of a table.',
    example: ofView,
  },
  renameView: {
    ...put('/table/{tableId}/view/{viewId}/name'),
    purpose: 'Gives a view another name.',
    example: { ...ofView, name: 'All books' },
  },
  describeView: {
    ...put('/table/{tableId}/view/{viewId}/description'),
    purpose: 'Sets the description of a view; null takes it away.',
    example: { ...ofView, description: 'What stands on the shelves' },
  },
  setViewFilter: {
    ...put('/table/{tableId}/view/{viewId}/filter'),
    purpose:
      'Sets which records a view shows; null shows them all. What names a field that is deleted later asks nothing until that is restored.',
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
    purpose: 'Sets in which order a view shows its records; null takes the sort away.',
    example: { ...ofView, sort: { sortObjs: [{ fieldId: '{fieldId}', order: 'desc' }] } },
  },
  sortViewManually: {
    ...put('/table/{tableId}/view/{viewId}/manual-sort'),
    purpose:
      'Freezes the rows of a view in the order of a sort, as it is now for all records of the table. From then on they stay where they are until they are moved; new records come last. Setting a sort again thaws the order.',
    example: { ...ofView, sortObjs: [{ fieldId: '{fieldId}', order: 'asc' }] },
  },
  moveRows: {
    ...put('/table/{tableId}/view/{viewId}/record-order'),
    purpose:
      'Moves records before or after another one in the row order of a view, in the sequence in which they are named.',
    example: {
      ...ofView,
      anchorId: '{otherRecordId}',
      position: 'after',
      recordIds: ['{recordId}'],
    },
  },
  setViewGroup: {
    ...put('/table/{tableId}/view/{viewId}/group'),
    purpose: 'Sets by which fields a view groups its records; null takes the groups away.',
    example: { ...ofView, group: [{ fieldId: '{fieldId}', order: 'asc' }] },
  },
  setViewOptions: {
    ...patch('/table/{tableId}/view/{viewId}/options'),
    purpose:
      'Sets options that the kind of view has. What is left out stays as it is, null takes an option away.',
    example: { ...ofView, options: { rowHeight: 'tall' } },
  },
  setColumnMeta: {
    ...put('/table/{tableId}/view/{viewId}/column-meta'),
    bodyMember: 'columnMeta',
    purpose:
      'Sets how a view shows fields: their order, whether they are shown, and what the kind of view has beside that. The body is a list of fields; what is left out of one stays as it is, null is taken away.',
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
    purpose:
      'Locks a view, or unlocks it. A locked view stays as it is: whoever would change or delete it is refused. Its records are not affected.',
    example: { ...ofView, isLocked: true },
  },
  duplicateView: {
    ...post('/table/{tableId}/view/{viewId}/duplicate'),
    isVersioned: true,
    purpose: 'Adds a view like another one, behind all others of the table.',
    example: ofView,
  },
  deleteView: {
    ...del('/table/{tableId}/view/{viewId}'),
    purpose: 'Moves a view to the trash of its table.',
    example: ofView,
  },
  listFilterLinkRecords: {
    ...get('/table/{tableId}/view/{viewId}/filter-link-records'),
    purpose:
      'Lists the records that the filter of a view names, with their titles: filters name them by their ids alone.',
    example: ofView,
  },
  setShareMeta: {
    ...put('/table/{tableId}/view/{viewId}/share-meta'),
    purpose:
      'Decides what visitors of the link of a view may see and do, and whether they are asked for a password. What is left out stays as it is; null takes the password away.',
    example: { ...ofView, allowCopy: true, password: 'open sesame' },
  },
  enableShare: {
    ...post('/table/{tableId}/view/{viewId}/enable-share'),
    purpose:
      'Shares a view with everybody who has its link, which is made of the id that is answered. A view that is shared already keeps its link.',
    example: ofView,
  },
  disableShare: {
    ...post('/table/{tableId}/view/{viewId}/disable-share'),
    purpose: 'Ends the link of a view at once and for good; what was decided about it is kept.',
    example: ofView,
  },
  refreshShareId: {
    ...post('/table/{tableId}/view/{viewId}/refresh-share-id'),
    purpose: 'Gives a view that is shared a new link; the one that it had ends at once.',
    example: { tableId: '{tableId}', viewId: '{sharedViewId}' },
  },
}
