import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

const ofSpace = '/space/{spaceId}/authentication'
const one = `${ofSpace}/{authenticationId}` as const

export const loginProviderRoutes: FeatureRoutes<'loginProviders'> = {
  listLoginProviders: {
    ...get(ofSpace),
    purpose: 'Lists the login providers of a space for its owners, with their secrets masked.',
    example: { spaceId: '{spaceId}' },
  },
  createLoginProvider: {
    ...post(ofSpace),
    isVersioned: true,
    purpose:
      'Adds a login provider to a space. Its secret is stored encrypted, and masked in every answer.',
    example: {
      spaceId: '{spaceId}',
      type: 'feishu',
      name: 'Feishu',
      config: { appId: 'cli_library', appSecret: 'a secret of the app' },
    },
  },
  getLoginProvider: {
    ...get(one),
    isVersioned: true,
    purpose: 'Returns a login provider of a space, with its secret masked.',
    example: { spaceId: '{spaceId}', authenticationId: '{authenticationId}' },
  },
  updateLoginProvider: {
    ...put(one),
    purpose:
      'Replaces a login provider. Where the mask is sent in place of a secret, the stored secret stays.',
    example: {
      spaceId: '{spaceId}',
      authenticationId: '{authenticationId}',
      type: 'oidc',
      name: 'City account',
      config: {
        clientId: 'library',
        clientSecret: '********',
        authorizationUrl: 'https://login.example.com/authorize',
        tokenUrl: 'https://login.example.com/token',
        userInfoUrl: 'https://login.example.com/userinfo',
        issuer: 'https://login.example.com',
      },
    },
  },
  deleteLoginProvider: {
    ...del(one),
    purpose: 'Deletes a login provider of a space for good.',
    example: { spaceId: '{spaceId}', authenticationId: '{authenticationId}' },
  },
}
