import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

export const baseRoutes: FeatureRoutes<'bases'> = {
  createBase: {
    ...post('/base'),
    isVersioned: true,
    purpose: 'Creates an empty base, as the last one of its space.',
    example: { spaceId: '{spaceId}', name: 'Catalogue', icon: '🗂️' },
  },
  listBases: {
    ...get('/space/{spaceId}/base'),
    purpose: 'Lists the bases of a space in their order.',
    example: { spaceId: '{spaceId}' },
  },
  listAllBases: {
    ...get('/base/access/all'),
    purpose: 'Lists every base that the caller can see, in all spaces.',
    example: {},
  },
  listSharedBases: {
    ...get('/base/shared-base'),
    purpose:
      'Lists the bases in which the caller has a role of their own, and none in the space that they lie in.',
    example: {},
  },
  getBase: {
    ...get('/base/{baseId}'),
    isVersioned: true,
    purpose: 'Returns the name and icon of a base, and the role that the caller has in it.',
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
  moveBaseToSpace: {
    ...put('/base/{baseId}/move'),
    purpose:
      'Moves a base with everything in it into another space, as the last base there. Whoever had a role in the space that it leaves, and none in the base itself or in the other space, can not reach it any more.',
    example: { baseId: '{otherBaseId}', spaceId: '{emptySpaceId}' },
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
      'Deletes a base for good, with everything in it, whether or not it is in the trash. It is out of reach at once, and removed in the background.',
    example: { baseId: '{baseId}' },
  },
  getBasePermissions: {
    ...get('/base/{baseId}/permission'),
    purpose: 'Returns for every action whether the caller may do it in the base.',
    example: { baseId: '{baseId}' },
  },
  getBaseDiagram: {
    ...get('/base/{baseId}/erd'),
    purpose:
      'Returns the tables of a base with their fields, and how links, lookups and rollups lead from one to another, as a diagram draws them. Tables of other bases are among them where the caller may read them.',
    example: { baseId: '{baseId}' },
  },
  verifyBase: {
    ...get('/base/{baseId}/verify'),
    purpose:
      'Reads a whole base, and returns a hash of its content and the problems that were found. Two bases with the same content have the same hash on every storage.',
    example: { baseId: '{baseId}' },
  },
}
