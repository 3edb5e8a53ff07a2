import { del, type FeatureRoutes, get, post } from '../operation.ts'

export const pluginGrantRoutes: FeatureRoutes<'pluginGrants'> = {
  createPluginCode: {
    ...post('/plugin/{pluginId}/authCode'),
    purpose:
      'Creates a code that a plugin trades for tokens with which it acts in one base on behalf of the caller. The code works once, within 5 minutes.',
    example: { pluginId: '{pluginId}', baseId: '{baseId}' },
  },
  createPluginToken: {
    ...post('/plugin/{pluginId}/token', 200),
    purpose:
      'Trades the code of a user for an access token and a refresh token. The plugin proves who it is with its secret. Its access token is sent like any other, and allows what its scopes and the role of the user allow, in that base only.',
    example: {
      pluginId: '{pluginId}',
      baseId: '{baseId}',
      secret: '{pluginSecret}',
      scopes: ['table|read', 'record|read'],
      authCode: '{pluginCode}',
    },
  },
  createPageToken: {
    ...post('/plugin/{pluginId}/page-token'),
    purpose:
      'Creates an access token with which the page of a plugin that ships with the product acts on behalf of the caller, for one of its installs: it reads what the plugin needs in that base, and replaces what the install stores. It works for an hour, and stops working with the session.',
    example: { pluginId: 'plgchart', pluginInstallId: '{dashboardInstallId}' },
  },
  refreshPluginToken: {
    ...post('/plugin/{pluginId}/refreshToken'),
    purpose:
      'Trades the refresh token of a plugin for new tokens, once. The old tokens stop working.',
    example: {
      pluginId: '{pluginId}',
      secret: '{pluginSecret}',
      refreshToken: '{pluginRefreshToken}',
    },
  },
  listPluginGrants: {
    ...get('/plugin-grant'),
    purpose:
      'Lists which plugins may act on behalf of the caller, each with its base and its scopes. Permissions that have ended are left out.',
    example: {},
  },
  deletePluginGrant: {
    ...del('/plugin-grant/{id}'),
    purpose:
      'Revokes what a plugin may do in one base on behalf of the caller. Its code and its tokens stop working at once.',
    example: { id: '{pluginGrantId}' },
  },
}
