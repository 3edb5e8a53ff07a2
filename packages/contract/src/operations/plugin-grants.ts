import { del, type FeatureRoutes, get, post } from '../operation.ts'

export const pluginGrantRoutes: FeatureRoutes<'pluginGrants'> = {
  createPluginCode: {
    ...post('/plugin/{pluginId}/authCode'),
    purpose:
      'Gives a code by which a plugin gets tokens, to act in one base in the name of the caller. The code is good for 5 minutes, and once.',
    example: { pluginId: '{pluginId}', baseId: '{baseId}' },
  },
  createPluginToken: {
    ...post('/plugin/{pluginId}/token', 200),
    purpose:
      'Trades the code of a user for an access token and a refresh token. The plugin proves itself by its secret. Its access token is sent as any other, and does what its scopes and the role of the user allow, in that base alone.',
    example: {
      pluginId: '{pluginId}',
      baseId: '{baseId}',
      secret: '{pluginSecret}',
      scopes: ['table|read', 'record|read'],
      authCode: '{pluginCode}',
    },
  },
  refreshPluginToken: {
    ...post('/plugin/{pluginId}/refreshToken'),
    purpose:
      'Trades the refresh token of a plugin for new tokens, once. Those of before are good for nothing any more.',
    example: {
      pluginId: '{pluginId}',
      secret: '{pluginSecret}',
      refreshToken: '{pluginRefreshToken}',
    },
  },
  listPluginGrants: {
    ...get('/plugin-grant'),
    purpose:
      'Lists which plugins may act in the name of the caller, each with its base and its scopes. What has ended is left out.',
    example: {},
  },
  deletePluginGrant: {
    ...del('/plugin-grant/{id}'),
    purpose:
      'Ends what a plugin may do in one base in the name of the caller, which holds at once: its code and its tokens are good for nothing any more.',
    example: { id: '{pluginGrantId}' },
  },
}
