import { del, type FeatureRoutes, get, patch } from '../operation.ts'

const selection = '/table/{tableId}/selection'

export const selectionRoutes: FeatureRoutes<'selections'> = {
  findSelectedIds: {
    ...get(`${selection}/range-to-id`),
    purpose: 'Returns which records and fields are in the given ranges of a view.',
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
      'Copies ranges of a view: returns their cells as the text that spreadsheets put on the clipboard, and the fields of the columns.',
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
      'Pastes cells into a range of a view, all of them or none. Cells beyond the last row or column add records or fields.',
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
    purpose: 'Returns what cells would contain if content were pasted, and changes nothing.',
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
    purpose: 'Empties the cells in ranges of a view, all of them or none.',
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
    purpose: 'Moves the records in ranges of a view to the trash of their table.',
    example: { tableId: '{tableId}', viewId: '{viewId}', type: 'rows', ranges: [[0, 0]] },
  },
}
