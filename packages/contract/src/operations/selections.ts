import { del, type FeatureRoutes, get, patch } from '../operation.ts'

const selection = '/table/{tableId}/selection'

export const selectionRoutes: FeatureRoutes<'selections'> = {
  findSelectedIds: {
    ...get(`${selection}/range-to-id`),
    purpose: 'Tells which records and fields ranges of what a view shows are.',
    example: {
      tableId: '{tableId}',
      viewId: '{viewId}',
      ranges: [
        [0, 0],
        [1, 0],
      ],
      returnType: 'all',
    },
  },
  copyCells: {
    ...get(`${selection}/copy`, { answersRecords: true }),
    purpose:
      'Answers the cells of ranges of what a view shows, as the text that spreadsheets put on the clipboard, and the fields of the columns.',
    example: {
      tableId: '{tableId}',
      viewId: '{viewId}',
      ranges: [
        [0, 0],
        [1, 0],
      ],
    },
  },
  pasteCells: {
    ...patch(`${selection}/paste`, 200, { carriesRecords: true }),
    purpose:
      'Writes cells into a range of what a view shows, all of them or none; what reaches beyond the last row or column adds records or fields.',
    example: {
      tableId: '{tableId}',
      viewId: '{viewId}',
      ranges: [
        [1, 0],
        [1, 0],
      ],
      content: '475',
    },
  },
  previewPaste: {
    ...patch(`${selection}/temporaryPaste`, 200, { carriesRecords: true, answersRecords: true }),
    purpose: 'Tells what cells would hold if content were pasted, and changes nothing.',
    example: {
      tableId: '{tableId}',
      viewId: '{viewId}',
      fieldKeyType: 'name',
      ranges: [
        [0, 0],
        [0, 0],
      ],
      content: 'Persuasion\t249 pages',
    },
  },
  clearCells: {
    ...patch(`${selection}/clear`),
    purpose: 'Empties the cells of ranges of what a view shows, all of them or none.',
    example: {
      tableId: '{tableId}',
      viewId: '{viewId}',
      ranges: [
        [1, 0],
        [1, 0],
      ],
    },
  },
  deleteSelectedRecords: {
    ...del(`${selection}/delete`),
    purpose: 'Moves the records of ranges of what a view shows to the trash of their table.',
    example: { tableId: '{tableId}', viewId: '{viewId}', type: 'rows', ranges: [[0, 0]] },
  },
}
