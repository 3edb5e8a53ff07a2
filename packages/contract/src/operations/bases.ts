import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

export const baseRoutes: FeatureRoutes<'bases'> = {
  createBase: {
    ...post('/base'),
    isVersioned: true,
    purpose: 'Creates an empty base, last in its space.',
    example: { spaceId: '{spaceId}', name: 'Catalogue', icon: '🗂️' },
  },
  listBases: {
    ...get('/space/{spaceId}/base'),
    purpose: 'Lists the bases of a space in their order.',
    example: { spaceId: '{spaceId}' },
  },
  listAllBases: {
    ...get('/base/access/all'),
    purpose: 'Lists every base that the caller can see, over all spaces.',
    example: {},
  },
  getBase: {
    ...get('/base/{baseId}'),
    isVersioned: true,
    purpose: 'Answers what a base is called, and the role that the caller has in it.',
    example: { baseId: '{baseId}' },
  },
  updateBase: {
    ...patch('/base/{baseId}'),
    isVersioned: true,
    purpose: 'Changes the name or the icon of a base.',
    example: { baseId: '{baseId}', name: 'Reading room' },
  },
  moveBase: {
    ...put('/base/{baseId}/order'),
    purpose: 'Moves a base before or after another one of its space.',
    example: { baseId: '{baseId}', anchorId: '{otherBaseId}', position: 'after' },
  },
  duplicateBase: {
    ...post('/base/duplicate'),
    isVersioned: true,
    purpose:
      'Copies a base with its tree, tables, fields and views, and with the records where that is asked for, into the same space or another one.',
    example: {
      fromBaseId: '{baseId}',
      spaceId: '{spaceId}',
      name: 'Copy of it',
      withRecords: true,
    },
  },
  deleteBase: {
    ...del('/base/{baseId}'),
    purpose: 'Moves a base with everything in it to the trash of its space.',
    example: { baseId: '{baseId}' },
  },
  deleteBasePermanently: {
    ...del('/base/{baseId}/permanent'),
    purpose:
      'Removes a base for good, with everything in it, out of the trash too: at once out of reach, then purged in the background.',
    example: { baseId: '{baseId}' },
  },
  getBasePermissions: {
    ...get('/base/{baseId}/permission'),
    purpose: 'Answers for every action whether the caller may take it in the base.',
    example: { baseId: '{baseId}' },
  },
  verifyBase: {
    ...get('/base/{baseId}/verify'),
    purpose:
      'Reads a whole base and answers a hash of what it holds, and the problems found: two bases with the same content have the same hash on every storage.',
    example: { baseId: '{baseId}' },
  },
}
