import { del, type FeatureRoutes, get, post } from '../operation.ts'

const ofTable = { resourceId: '{tableId}', resourceType: 'table' } as const

export const trashRoutes: FeatureRoutes<'trash'> = {
  listTrash: {
    ...get('/trash'),
    purpose: 'Lists the deleted spaces, or the deleted bases, that the caller may restore.',
    example: { resourceType: 'base' },
  },
  listTrashItems: {
    ...get('/trash/items'),
    purpose:
      'Lists the trash of a base (tables, dashboards, workflows) or of a table (views, fields, records): one entry for each call that deleted something, newest first.',
    example: ofTable,
  },
  restoreTrash: {
    ...post('/trash/restore/{trashId}'),
    purpose:
      'Restores what one entry of a trash names, as it was, with links on both sides. A name that is taken meanwhile gets a number; where anything else prevents it, the answer says what, and nothing is changed.',
    example: { trashId: '{trashId}' },
  },
  resetTrash: {
    ...del('/trash/reset-items'),
    purpose:
      'Empties the trash of a base or a table: all of it or, with a page size or a cursor, one page. Its content can never be restored: it is out of reach at once, and removed in the background.',
    example: { ...ofTable, pageSize: 20 },
  },
  purgeTrashEntry: {
    ...del('/trash/{trashId}'),
    purpose: 'Deletes one entry of a trash for good: what it names can never be restored.',
    example: { trashId: '{trashId}' },
  },
}
