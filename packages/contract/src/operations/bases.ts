import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

export const baseRoutes: FeatureRoutes<'bases'> = {
  createBase: post('/base'),
  listBases: get('/space/{spaceId}/base'),
  listAllBases: get('/base/access/all'),
  getBase: get('/base/{baseId}'),
  updateBase: patch('/base/{baseId}'),
  moveBase: put('/base/{baseId}/order'),
  deleteBase: del('/base/{baseId}'),
  getBasePermissions: get('/base/{baseId}/permission'),
  verifyBase: get('/base/{baseId}/verify'),
}
