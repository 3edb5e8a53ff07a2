import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

export const accessTokenRoutes: FeatureRoutes<'accessTokens'> = {
  createToken: {
    ...post('/access-token'),
    isVersioned: true,
    purpose:
      'Creates an access token for programs. It reaches the spaces and bases that are named, or everything with `hasFullAccess`; without any of these it reaches nothing. Only this answer shows the token: the service stores no more than a digest of it.',
    example: {
      name: 'Import',
      scopes: ['record|create', 'record|read'],
      baseIds: ['{baseId}'],
      expiredTime: '2999-12-31',
    },
  },
  listTokens: {
    ...get('/access-token'),
    purpose: "Lists the caller's access tokens, without the tokens themselves.",
    example: {},
  },
  getToken: {
    ...get('/access-token/{id}'),
    isVersioned: true,
    purpose: 'Returns what one access token may do.',
    example: { id: '{accessTokenId}' },
  },
  updateToken: {
    ...put('/access-token/{id}'),
    isVersioned: true,
    purpose:
      'Replaces the name, description, scopes and reach of an access token. What is left out is unset, so that without `spaceIds`, `baseIds` and `hasFullAccess` it reaches nothing any more. The token itself and the time at which it expires stay.',
    example: {
      id: '{accessTokenId}',
      name: 'Nightly import',
      scopes: ['record|create'],
      baseIds: ['{baseId}'],
    },
  },
  refreshToken: {
    ...post('/access-token/{id}/refresh'),
    isVersioned: true,
    purpose:
      'Replaces an access token by a new one, which only this answer shows; the old one stops working at once.',
    example: { id: '{accessTokenId}', expiredTime: '2999-12-31' },
  },
  deleteToken: {
    ...del('/access-token/{id}'),
    purpose: 'Deletes an access token, which stops working at once.',
    example: { id: '{accessTokenId}' },
  },
}
