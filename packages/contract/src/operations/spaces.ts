import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const spaceRoutes: FeatureRoutes<'spaces'> = {
  createSpace: {
    ...post('/space'),
    isVersioned: true,
    purpose: 'Creates a space, whose owner the caller is.',
    example: { name: 'Library' },
  },
  listSpaces: {
    ...get('/space'),
    purpose: 'Lists the spaces that the caller has a role in.',
    example: {},
  },
  getSpace: {
    ...get('/space/{spaceId}'),
    isVersioned: true,
    purpose: 'Answers what a space is called, and the role that the caller has in it.',
    example: { spaceId: '{spaceId}' },
  },
  renameSpace: {
    ...patch('/space/{spaceId}'),
    isVersioned: true,
    purpose: 'Gives a space another name.',
    example: { spaceId: '{spaceId}', name: 'City library' },
  },
  deleteSpace: {
    ...del('/space/{spaceId}'),
    purpose: 'Moves a space with all its bases to the trash.',
    example: { spaceId: '{spaceId}' },
  },
  deleteSpacePermanently: {
    ...del('/space/{spaceId}/permanent'),
    purpose:
      'Removes a space for good, with all its bases, out of the trash too: at once out of reach, then purged in the background.',
    example: { spaceId: '{spaceId}' },
  },
}
