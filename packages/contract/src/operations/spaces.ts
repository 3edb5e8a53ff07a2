import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const spaceRoutes: FeatureRoutes<'spaces'> = {
  createSpace: {
    ...post('/space'),
    isVersioned: true,
    purpose: 'Creates a space that the caller owns.',
    example: { name: 'Library' },
  },
  listSpaces: {
    ...get('/space'),
    purpose: 'Lists the spaces in which the caller has a role.',
    example: {},
  },
  getSpace: {
    ...get('/space/{spaceId}'),
    isVersioned: true,
    purpose: 'Returns the name of a space, and the role that the caller has in it.',
    example: { spaceId: '{spaceId}' },
  },
  searchSpace: {
    ...get('/space/{spaceId}/search'),
    purpose:
      'Finds the bases of a space, and the folders, tables, dashboards and workflows in them, that have a text in their name: by name, a page at a time, with how many there are.',
    example: { spaceId: '{spaceId}', search: 'lo' },
  },
  renameSpace: {
    ...patch('/space/{spaceId}'),
    isVersioned: true,
    purpose: 'Renames a space.',
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
      'Deletes a space for good, with all its bases, whether or not it is in the trash. It is out of reach at once, and removed in the background.',
    example: { spaceId: '{spaceId}' },
  },
}
