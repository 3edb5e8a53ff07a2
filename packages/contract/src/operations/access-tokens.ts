import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

export const accessTokenRoutes: FeatureRoutes<'accessTokens'> = {
  createToken: {
    ...post('/access-token'),
    isVersioned: true,
    purpose:
      'Creates an access token for programs. It reaches the spaces and bases that are named, everything with `hasFullAccess`, and no place without any of these. The answer shows it this once: only a digest of it is stored.',
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
    purpose: 'Answers what one access token may do.',
    example: { id: '{accessTokenId}' },
  },
  updateToken: {
    ...put('/access-token/{id}'),
    isVersioned: true,
    purpose:
      'Replaces the name, description, scopes and reach of an access token: what is left out is unset, so that without `spaceIds`, `baseIds` and `hasFullAccess` it reaches no place any more. The token itself and its end stay.',
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
      'Replaces an access token by a new one, which the answer shows this once; the old one ends.',
    example: { id: '{accessTokenId}', expiredTime: '2999-12-31' },
  },
  deleteToken: {
    ...del('/access-token/{id}'),
    purpose: 'Deletes an access token, which holds at once.',
    example: { id: '{accessTokenId}' },
  },
}
