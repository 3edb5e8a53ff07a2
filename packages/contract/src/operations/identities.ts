import { del, type FeatureRoutes, get, post } from '../operation.ts'

const ofProvider = '/auth/oidc/{providerId}'

export const identityRoutes: FeatureRoutes<'identities'> = {
  listSignInProviders: {
    ...get('/space/authentication/providers'),
    purpose:
      'Lists by which login providers people may sign in, for the login page of a space. Anybody may ask; a space that is not there has none.',
    example: { spaceId: '{spaceId}' },
  },
  startSignIn: {
    ...post(`${ofProvider}/start`, 200, { cookie: 'begins', redirectsTo: 'url' }),
    purpose:
      'Begins to sign in by a login provider. Browsers are led there by `GET`, with the input in the query: they get a cookie that holds the flow, and a redirect (302) to the provider.',
    example: { providerId: '{authenticationId}', redirect: '/welcome' },
  },
  finishSignIn: {
    ...post(`${ofProvider}/callback`, 200, { cookie: 'finishes', redirectsTo: 'redirect' }),
    purpose:
      'Ends a sign-in by a login provider with what that sent back. It sends browsers here by `GET`: they get the session cookie, and a redirect (302) to the path of this site that the beginning named. An account that is there already is never found by its e-mail address, but by an identity that its user has linked.',
    example: { providerId: '{providerId}', flow: '{flow}', state: '{state}', code: '{code}' },
  },
  startLinking: {
    ...post(`${ofProvider}/link`, 200, { cookie: 'begins' }),
    purpose:
      'Begins to link an account at a login provider to the account of the caller, who signs in by it from then on. It takes the password, where the account has one. The caller goes to the `url` of the answer next.',
    example: {
      providerId: '{authenticationId}',
      redirect: '/settings',
      password: 'correct horse 1',
    },
  },
  listIdentities: {
    ...get('/auth/identities'),
    purpose: 'Lists the accounts at login providers by which the caller signs in.',
    example: {},
  },
  unlinkIdentity: {
    ...del('/auth/identities/{identityId}'),
    purpose:
      'Ends that the caller signs in by an account at a login provider. An account without a password keeps one that works.',
    example: { identityId: '{identityId}' },
  },
}
