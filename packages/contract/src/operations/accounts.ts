import type { FileSource } from '@gateleg/domain/attachments/files/file-source'
import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

/** Stands for the bytes of an image in the documentation. */
const exampleImage: FileSource & { readonly toJSON: () => string } = {
  name: 'ada.png',
  async *stream() {},
  toJSON: () => '(the bytes of ada.png)',
}

export const accountRoutes: FeatureRoutes<'accounts'> = {
  signUp: {
    ...post('/auth/signup', 201, { cookie: 'opens' }),
    isVersioned: true,
    purpose:
      'Creates an account with a space of its own, and signs the caller in: with a session cookie and, for programs without cookies, with the `accessToken` in the answer.',
    example: {
      email: 'grace@example.com',
      password: 'A-good-password-1',
      defaultSpaceName: 'Harbour',
    },
  },
  sendSignUpCode: {
    ...post('/auth/send-signup-verification-code', 200),
    purpose:
      'Mails the code that sign-up asks for where mail addresses are verified. Sign-up needs the token of this answer too.',
    example: { email: 'grace@example.com' },
  },
  createInviteCode: {
    ...post('/admin/invite-code'),
    purpose: 'Creates an invitation code for sign-up, which only this answer shows.',
    example: { uses: 5 },
  },
  signIn: {
    ...post('/auth/signin', 200, { cookie: 'opens' }),
    isVersioned: true,
    purpose:
      'Signs in with the address and password of an account: opens a session, with a cookie and with the `accessToken` in the answer.',
    example: { email: 'owner@example.com', password: 'correct horse 1' },
  },
  signOut: {
    ...post('/auth/signout', 200, { cookie: 'closes' }),
    purpose: 'Signs out: ends the session that the request came with.',
    example: {},
  },
  getMe: {
    ...get('/auth/user/me'),
    isVersioned: true,
    purpose: 'Returns the account of the caller.',
    example: {},
  },
  getUser: {
    ...get('/auth/user'),
    purpose: 'Returns who the caller is: the little that a program needs which was given a token.',
    example: {},
  },
  changeName: {
    ...patch('/user/name'),
    purpose: 'Changes the name of the caller that others see.',
    example: { name: 'Ada Lovelace' },
  },
  changeAvatar: {
    ...patch('/user/avatar', 200, { body: 'multipart' }),
    purpose:
      'Replaces the picture of the caller: an image is scaled down and stored anew, so that nothing else of the file is kept. Its URL is a new one, and that of the picture before leads nowhere any more.',
    example: { file: exampleImage },
  },
  removeAvatar: {
    ...del('/user/avatar'),
    purpose: 'Removes the picture of the caller, who is shown by their initials then.',
    example: {},
  },
  readAvatar: {
    ...get('/user/avatar/{path}', { answersFile: true }),
    purpose:
      'Returns the picture of a user at the URL that answers have as `avatar` or `avatarUrl`. It needs no credential, and works for as long as the user has that picture.',
    example: { path: '{avatarPath}' },
  },
  changeLanguage: {
    ...patch('/user/lang'),
    purpose:
      'Notes the language in which the caller wants to be addressed, for pages and programs that ask; texts of the service are English.',
    example: { lang: 'de' },
  },
  changeNotices: {
    ...patch('/user/notify-meta'),
    purpose:
      'Notes whether the caller wants notices by mail, for programs that ask; the service sends none yet.',
    example: { email: false },
  },
  changePassword: {
    ...patch('/auth/change-password', 201),
    purpose: "Replaces the caller's password, given the old one, and ends all other sessions.",
    example: { password: 'correct horse 1', newPassword: 'A-better-password-2' },
  },
  addPassword: {
    ...post('/auth/add-password'),
    purpose:
      'Sets the first password of an account that was made by a login provider, so that its user can sign in by that, too.',
    example: { password: 'A-good-password-1' },
  },
  sendPasswordReset: {
    ...post('/auth/send-reset-password-email'),
    purpose:
      'Mails a code for a new password to whoever forgot theirs. The answer is the same whether the address has an account or not.',
    example: { email: 'owner@example.com' },
  },
  resetPassword: {
    ...post('/auth/reset-password'),
    purpose:
      'Sets a new password with the code of such a mail, and ends all sessions of the account.',
    example: { password: 'A-better-password-2', code: '{resetCode}' },
  },
  sendChangeEmailCode: {
    ...post('/auth/send-change-email-code', 200),
    purpose:
      "Mails a code to the address that the caller's account is to have, given the password; the answer's token goes with it.",
    example: { email: 'ada@new.example.com', password: 'correct horse 1' },
  },
  changeEmail: {
    ...patch('/auth/change-email'),
    purpose: "Replaces the address of the caller's account by the one that the code was mailed to.",
    example: { email: 'ada@new.example.com', token: '{codeToken}', code: '{mailedCode}' },
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
      "Accepts an invitation with the token from its mail, and gives the caller the role that it offers. The caller's account must have the address to which it was mailed.",
    example: { token: '{invitationToken}' },
  },
  acceptInvitationLink: {
    ...post('/invitation/link/accept'),
    purpose:
      'Accepts an invitation link, and gives the caller the role that it offers. Who has a role there already keeps it, so that the call may be repeated.',
    example: { invitationId: '{linkId}', invitationCode: '{linkCode}' },
  },
  deleteAccount: {
    ...del('/auth/user', { isInBody: true, cookie: 'closes' }),
    purpose:
      "Deletes the caller's account for good, given the password, with the spaces that nobody else is in. What they made elsewhere stays, under a name that says nothing.",
    example: { password: 'correct horse 1' },
  },
}
