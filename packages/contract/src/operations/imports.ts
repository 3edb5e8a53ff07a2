import { type FeatureRoutes, get, patch, post } from '../operation.ts'

const content = 'Title,Pages\nEmma,474\nPersuasion,249\n'
const file = { fileMember: 'content' } as const

export const importRoutes: FeatureRoutes<'imports'> = {
  analyzeFile: {
    ...post('/import/analyze', 200, file),
    purpose:
      'Analyzes the first rows of a CSV file: returns which types of fields its columns seem to be. Nothing is stored.',
    example: { content },
  },
  importTable: {
    ...post('/import/{baseId}', 201, file),
    purpose:
      'Imports a CSV file as a new table. A short file is imported before the answer comes, a longer one in the background.',
    example: { baseId: '{baseId}', name: 'Novels', content },
  },
  importRecords: {
    ...patch('/import/{baseId}/{tableId}', 200, file),
    purpose:
      'Imports the rows of a CSV file as records of a table. A short file is imported before the answer comes, a longer one in the background.',
    example: { baseId: '{baseId}', tableId: '{tableId}', content },
  },
  getImport: {
    ...get('/import/{baseId}/status/{importId}'),
    purpose: 'Returns how far an import is, and which rows and cells were wrong.',
    example: { baseId: '{otherBaseId}', importId: '{importId}' },
  },
}
