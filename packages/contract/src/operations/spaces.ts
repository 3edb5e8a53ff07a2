import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const spaceRoutes: FeatureRoutes<'spaces'> = {
  createSpace: post('/space'),
  listSpaces: get('/space'),
  getSpace: get('/space/{spaceId}'),
  renameSpace: patch('/space/{spaceId}'),
  deleteSpace: del('/space/{spaceId}'),
}
