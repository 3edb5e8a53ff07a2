import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

const ofClient = '/oauth/client/{clientId}'

const settings = {
  name: 'Reading room',
  description: 'Shows who has borrowed what',
  homepage: 'https://room.example.com',
  scopes: ['base|read', 'table|read', 'record|read'] as (
    | 'base|read'
    | 'table|read'
    | 'record|read'
  )[],
  redirectUris: ['https://room.example.com/callback', 'http://127.0.0.1/callback'],
}

export const oauthClientRoutes: FeatureRoutes<'oauthClients'> = {
  createClient: {
    ...post('/oauth/client'),
    isVersioned: true,
    purpose:
      'Registers an app that people let act on their behalf. It begins without a secret: an app that runs on the devices of people keeps none.',
    example: settings,
  },
  listClients: {
    ...get('/oauth/client'),
    purpose: 'Lists the OAuth apps that the caller registered, oldest first.',
    example: {},
  },
  getClient: {
    ...get(ofClient),
    isVersioned: true,
    purpose: 'Gets an OAuth app that the caller registered, with its secrets masked.',
    example: { clientId: '{oauthClientId}' },
  },
  updateClient: {
    ...put(ofClient),
    isVersioned: true,
    purpose:
      'Replaces the settings of an OAuth app. What is left out is unset; its secrets stay. Tokens never allow more than the scopes that the app has now.',
    example: { ...settings, clientId: '{oauthClientId}', name: 'Reading rooms' },
  },
  deleteClient: {
    ...del(ofClient),
    purpose: 'Deletes an OAuth app. Its codes and tokens stop working at once.',
    example: { clientId: '{oauthClientId}' },
  },
  createSecret: {
    ...post(`${ofClient}/secret`),
    isVersioned: true,
    purpose:
      'Adds a secret to an OAuth app, shown in this answer only. From then on the app proves itself with one of its secrets.',
    example: { clientId: '{oauthClientId}' },
  },
  deleteSecret: {
    ...del(`${ofClient}/secret/{secretId}`),
    purpose:
      'Deletes a secret of an OAuth app. Tokens that it was used for stay, and are renewed with another secret.',
    example: { clientId: '{oauthClientId}', secretId: '{oauthSecretId}' },
  },
}
