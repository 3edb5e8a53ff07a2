/** The configuration of a provider that nobody asks. */
export const openIdConfig = {
  clientId: 'library',
  clientSecret: 'a secret of the client',
  authorizationUrl: 'https://login.example.com/authorize',
  tokenUrl: 'https://login.example.com/token',
  userInfoUrl: 'https://login.example.com/userinfo',
  issuer: 'https://login.example.com',
} as const
