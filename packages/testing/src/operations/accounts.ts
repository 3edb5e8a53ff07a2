import fc from 'fast-check'
import { fileOf } from '../factories/file-of.ts'
import { pngFile } from '../factories/png-image.ts'
import { name, ref, some } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'

const password = fc.oneof(
  { weight: 4, arbitrary: fc.constant('correct horse 1') },
  { weight: 1, arbitrary: fc.constantFrom('correct horse 2', 'short', 'wrong password') },
)

interface EmailArgs {
  /** Of whom the address is; of nobody when there is none. */
  readonly person: Ref
}

interface SignUpAnswer {
  readonly id: string
  readonly email: string
  readonly accessToken: string
}

export const accountOperations: ScriptedFeature<'accounts'> = {
  signUp: scripted({
    weight: 1,
    args: fc.record(
      {
        local: fc.constantFrom('a', 'b', 'B', 'ä'),
        password,
        defaultSpaceName: name,
        refMeta: some({ query: name, referer: name }),
      },
      { requiredKeys: ['local', 'password'] },
    ),
    toInput: ({ local, ...input }, { mark }) => ({
      ...input,
      email: `${local}.${mark}@example.com`,
    }),
    learn: (known, { id, email, accessToken }: SignUpAnswer) =>
      known.people.add({ id, email, session: accessToken }),
  }),
  sendSignUpCode: scripted({
    weight: 0.2,
    args: fc.record({ person: ref }),
    toInput: ({ person }: EmailArgs, { people }) => ({
      email: people.find(person)?.email ?? 'no@no',
    }),
  }),
  createInviteCode: scripted({ weight: 0.3, args: some({ uses: fc.nat({ max: 3 }) }) }),
  signIn: scripted({
    weight: 1,
    args: fc.record({ person: ref, password }),
    toInput: ({ person, password }: EmailArgs & { password: string }, { people }) => ({
      email: people.find(person)?.email ?? 'nobody@example.com',
      password,
    }),
  }),
  signOut: scripted({ weight: 0.2, args: fc.constant({}) }),
  getMe: scripted({ weight: 0.5, args: fc.constant({}) }),
  getUser: scripted({ weight: 0.5, args: fc.constant({}) }),
  changeName: scripted({ weight: 1, args: fc.record({ name }) }),
  changeAvatar: scripted({
    weight: 2,
    args: fc.record({ text: fc.constantFrom('png', '<svg>', 'png', '\x89PNG\r\n\x1a\n', 'png') }),
    toInput: ({ text }) => ({
      file:
        text === 'png' ? { ...pngFile('me.png', 4, 4), toJSON: () => 'png' } : fileOf('me', text),
    }),
  }),
  removeAvatar: scripted({ weight: 0.3, args: fc.constant({}) }),
  readAvatar: scripted({
    weight: 1,
    args: fc.record({ nth: fc.nat({ max: 9 }) }),
    toInput: ({ nth }: { nth: number }, { avatarPaths }) => ({
      path: avatarPaths[nth % avatarPaths.length] ?? 'none',
    }),
  }),
  changeLanguage: scripted({
    weight: 0.3,
    args: fc.record({ lang: fc.constantFrom('de', 'pt-BR', 'x', 'en_US', '') }),
  }),
  changeNotices: scripted({ weight: 0.3, args: some({ email: fc.boolean() }) }),
  changePassword: scripted({
    weight: 0.5,
    args: fc.record({ password, newPassword: password }),
  }),
  addPassword: scripted({ weight: 0.3, args: fc.record({ password }) }),
  sendPasswordReset: scripted({
    weight: 0.1,
    args: fc.record({ person: ref }),
    toInput: ({ person }: EmailArgs, { people }) => ({
      email: people.find(person)?.email ?? 'no@no',
    }),
  }),
  resetPassword: scripted({ weight: 0.1, args: fc.record({ password, code: name }) }),
  sendChangeEmailCode: scripted({
    weight: 0.1,
    args: fc.record({ password }),
    toInput: ({ password }, { mark }) => ({ password, email: `new.${mark}@example.com` }),
  }),
  changeEmail: scripted({
    weight: 0.1,
    args: fc.record({ token: name, code: name }),
    toInput: (codes, { mark }) => ({ ...codes, email: `new.${mark}@example.com` }),
  }),
  listSessions: scripted({
    weight: 1,
    args: fc.constant({}),
    learn: (known, sessions: readonly { readonly id: string }[]) => {
      for (const session of sessions) known.sessions.add(session)
    },
  }),
  revokeSession: scripted({
    weight: 1,
    args: fc.record({ session: ref }),
    toInput: ({ session }, { sessions }) => ({ sessionId: sessions.idOf(session) }),
    learn: (known, _answer, { sessionId }) => known.sessions.drop(String(sessionId)),
  }),
  deleteAccount: scripted({ weight: 0.2, args: fc.record({ password }) }),
  acceptInvitation: scripted({ weight: 0.2, args: fc.record({ token: name }) }),
  acceptInvitationLink: scripted({
    weight: 1,
    args: fc.record({ link: ref, isRight: fc.boolean() }),
    toInput: ({ link, isRight }: { link: Ref; isRight: boolean }, { invitationLinks }) => ({
      invitationId: invitationLinks.idOf(link),
      invitationCode: (isRight && invitationLinks.find(link)?.code) || 'wrong',
    }),
  }),
}
