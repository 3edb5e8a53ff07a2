import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const accountRoutes: FeatureRoutes<'accounts'> = {
  signUp: {
    ...post('/auth/signup', 201, { cookie: 'opens' }),
    isVersioned: true,
    purpose:
      'Creates an account with a space of its own, and signs the caller in: by a session cookie, and by the `accessToken` of the answer for programs without cookies.',
    example: {
      email: 'grace@example.com',
      password: 'A-good-password-1',
      defaultSpaceName: 'Harbour',
    },
  },
  sendSignUpCode: {
    ...post('/auth/send-signup-verification-code', 200),
    purpose:
      "Mails a code that sign-up asks for where addresses are verified; the answer's token goes with it.",
    example: { email: 'grace@example.com' },
  },
  createInviteCode: {
    ...post('/admin/invite-code'),
    purpose: 'Creates an invitation code for sign-up. The answer shows it this once.',
    example: { uses: 5 },
  },
  signIn: {
    ...post('/auth/signin', 200, { cookie: 'opens' }),
    isVersioned: true,
    purpose:
      'Opens a session for whoever knows the password of an account: by a cookie, and by the `accessToken` of the answer.',
    example: { email: 'owner@example.com', password: 'correct horse 1' },
  },
  signOut: {
    ...post('/auth/signout', 200, { cookie: 'closes' }),
    purpose: 'Ends the session that the request came with.',
    example: {},
  },
  getMe: {
    ...get('/auth/user/me'),
    isVersioned: true,
    purpose: 'Answers the account of the caller.',
    example: {},
  },
  getUser: {
    ...get('/auth/user'),
    purpose:
      'Answers who the caller is, in as few words as a program needs that was given a token.',
    example: {},
  },
  changeName: {
    ...patch('/user/name'),
    purpose: 'Changes the name that others see.',
    example: { name: 'Ada Lovelace' },
  },
  changePassword: {
    ...patch('/auth/change-password', 201),
    purpose: "Replaces the caller's password, given the old one, and ends all other sessions.",
    example: { password: 'correct horse 1', newPassword: 'A-better-password-2' },
  },
  listSessions: {
    ...get('/auth/session'),
    purpose: 'Lists the open sessions of the caller.',
    example: {},
  },
  revokeSession: {
    ...del('/auth/session/{sessionId}'),
    purpose: 'Ends one session of the caller.',
    example: { sessionId: '{sessionId}' },
  },
  acceptInvitation: {
    ...post('/invitation/email/accept'),
    purpose:
      'Takes the role that an invitation by mail offers, with the token from the mail, as the account with the address that it was mailed to.',
    example: { token: '{invitationToken}' },
  },
}
