import { type FeatureRoutes, get, post } from '../operation.ts'

export const oauthGrantRoutes: FeatureRoutes<'oauthGrants'> = {
  startAuthorization: {
    ...post('/oauth/authorize', 200, { redirectsTo: 'url', isForPeople: true }),
    purpose:
      'Begins to let an OAuth app act on behalf of the caller (authorization code grant, RFC 6749, with PKCE). Apps lead browsers here by `GET`, with the input in the query: they are redirected (302) to a page that asks, to sign in first where nobody is signed in, or straight back where as much was allowed before.',
    example: {
      response_type: 'code',
      client_id: '{oauthClientId}',
      redirect_uri: 'https://room.example.com/callback',
      scope: 'base|read record|read',
      state: 'shelf-3',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    },
  },
  getAuthorization: {
    ...get('/oauth/decision/{transactionId}', { isForPeople: true }),
    purpose:
      'Gets what an OAuth app asks the caller for. A browser that asks for HTML gets a page with the question.',
    example: { transactionId: '{oauthTransactionId}' },
  },
  decideAuthorization: {
    ...post('/oauth/decision/{transactionId}', 200, {
      redirectsTo: 'url',
      isForPeople: true,
      takesForm: true,
    }),
    purpose:
      'Allows or refuses what an OAuth app asks the caller for. The answer has the address of the app to go back to, with a code that works once, within 5 minutes, or with an error; a browser that sends a form is redirected there (303).',
    example: { transactionId: '{oauthTransactionId}', allow: true },
  },
  createTokens: {
    ...post('/oauth/access_token', 200, { takesForm: true, speaksOAuth: true }),
    purpose:
      'Trades a code, or a refresh token, for an access token and a new refresh token, once. An app with secrets proves itself with one. What was traded before and is sent again ends all tokens that came of it.',
    example: {
      grant_type: 'authorization_code',
      client_id: '{oauthClientId}',
      client_secret: '{oauthClientSecret}',
      code: '{oauthCode}',
      redirect_uri: 'https://room.example.com/callback',
    },
  },
  revokeToken: {
    ...post('/oauth/revoke', 200, { takesForm: true, speaksOAuth: true }),
    purpose:
      'Gives up an access token or a refresh token of an OAuth app (RFC 7009): both stop working at once. The answer is the same for a token that is unknown.',
    example: {
      client_id: '{oauthClientId}',
      client_secret: '{oauthClientSecret}',
      token: 'a token of long ago',
    },
  },
  listAuthorizedClients: {
    ...get('/oauth/client/authorized/list'),
    purpose: 'Lists the OAuth apps that may act on behalf of the caller, with their scopes.',
    example: {},
  },
  revokeClientAccess: {
    ...post('/oauth/client/{clientId}/revoke-access'),
    purpose:
      'Revokes what an OAuth app may do on behalf of the caller. Its codes and tokens stop working at once.',
    example: { clientId: '{oauthClientId}' },
  },
}
