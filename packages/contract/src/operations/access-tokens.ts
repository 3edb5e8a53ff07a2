import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

export const accessTokenRoutes: FeatureRoutes<'accessTokens'> = {
  createToken: post('/access-token'),
  listTokens: get('/access-token'),
  getToken: get('/access-token/{id}'),
  updateToken: put('/access-token/{id}'),
  refreshToken: post('/access-token/{id}/refresh'),
  deleteToken: del('/access-token/{id}'),
}
