import { del, type FeatureRoutes, get, post } from '../operation.ts'

const ofTable = { resourceId: '{tableId}', resourceType: 'table' } as const

export const trashRoutes: FeatureRoutes<'trash'> = {
  listTrash: {
    ...get('/trash'),
    purpose: 'Lists the deleted spaces, or the deleted bases, that the caller may bring back.',
    example: { resourceType: 'base' },
  },
  listTrashItems: {
    ...get('/trash/items'),
    purpose:
      'Lists what lies in the trash of a base (tables, dashboards, workflows) or of a table (views, fields, records): one entry for each call that deleted something, newest first.',
    example: ofTable,
  },
  restoreTrash: {
    ...post('/trash/restore/{trashId}'),
    purpose:
      'Brings back what one entry of a trash names, as it was, with links on both sides. A taken name is numbered; where something else is in the way, the answer says what, and nothing is changed.',
    example: { trashId: '{trashId}' },
  },
  resetTrash: {
    ...del('/trash/reset-items'),
    purpose:
      'Purges the trash of a base or a table: all of it or, with a page size or a cursor, one page. What it held is out of reach at once and can never come back; the background takes it away.',
    example: { ...ofTable, pageSize: 20 },
  },
  purgeTrashEntry: {
    ...del('/trash/{trashId}'),
    purpose: 'Purges one entry of a trash: what it names can never come back.',
    example: { trashId: '{trashId}' },
  },
}
