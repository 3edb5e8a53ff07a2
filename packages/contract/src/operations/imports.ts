import { type FeatureRoutes, get, patch, post } from '../operation.ts'

const content = 'Title,Pages\nEmma,474\nPersuasion,249\n'
const file = { fileMember: 'content' } as const

export const importRoutes: FeatureRoutes<'imports'> = {
  analyzeFile: {
    ...post('/import/analyze', 200, file),
    purpose:
      'Says what the columns of a CSV file seem to hold, by its first rows; nothing is kept.',
    example: { content },
  },
  importTable: {
    ...post('/import/{baseId}', 201, file),
    purpose:
      'Makes a table of a CSV file. A short one is imported when the answer comes, a longer one in the background.',
    example: { baseId: '{baseId}', name: 'Novels', content },
  },
  importRecords: {
    ...patch('/import/{baseId}/{tableId}', 200, file),
    purpose:
      'Makes records of the rows of a CSV file. A short one is imported when the answer comes, a longer one in the background.',
    example: { baseId: '{baseId}', tableId: '{tableId}', content },
  },
  getImport: {
    ...get('/import/{baseId}/status/{importId}'),
    purpose: 'Says how far an import is, and which rows and cells were wrong.',
    example: { baseId: '{otherBaseId}', importId: '{importId}' },
  },
}
