import type { Person } from '@gateleg/testing/worlds/world'
import type { Scene } from './scene.ts'

/** Somebody who signed up, with the password that they have. */
export interface Member extends Person {
  readonly password: string
}

const sixDigits = /\b\d{6}\b/

/** Signs somebody up, where a captcha, a mailed code and (beside the first one) an invitation code are asked for. */
export async function join(scene: Scene, name: string, inviteCode?: string): Promise<Member> {
  const email = `${name}@example.com`
  const password = scene.secret(`password of ${name}`)
  const { accounts } = scene.api()
  const captcha = () => ({ turnstileToken: scene.secret(`captcha of ${name}`) })
  const sent = { email, password, ...(inviteCode !== undefined && { inviteCode }) }
  const { data } = await scene.refused(accounts.signUp({ ...sent, ...captcha() }))
  const token = String((data as { readonly token?: unknown } | undefined)?.token)
  const code = await scene.mailed(`sign-up code of ${name}`, sixDigits)
  const verification = { code, token }
  const user = await accounts.signUp({ ...sent, ...captcha(), verification })
  const api = scene.api(user.accessToken)
  const [space] = await api.spaces.listSpaces({})
  return {
    ...{ userId: user.id, email, password, api, accessToken: user.accessToken },
    spaceId: space?.id ?? '',
  }
}

/** Signs nobody up, for reasons of all kinds. */
export async function tryToJoin(scene: Scene, taken: string): Promise<void> {
  const { accounts } = scene.api()
  const sent = (why: string) => ({
    ...{ email: 'nobody@example.com', password: scene.secret(`password, ${why}`) },
    turnstileToken: scene.secret(`captcha, ${why}`),
  })
  await scene.refused(accounts.signUp({ ...sent('of a taken address'), email: taken }))
  await scene.refused(accounts.signUp({ ...sent('with a wrong address'), email: 'none' }))
  const long = scene.parts.search.add(
    'password that is too long',
    `${scene.secret('long')}x`.repeat(9),
  )
  await scene.refused(accounts.signUp({ ...sent('of one too long'), password: long }))
  const digits = scene.parts.search.add('password without a letter', '90817263544536271890')
  await scene.refused(accounts.signUp({ ...sent('of one without letters'), password: digits }))
  const verification = {
    code: scene.parts.search.addCode('sign-up code that is wrong', '918273'),
    token: scene.secret('token of a sign-up code that is wrong'),
  }
  await scene.refused(accounts.signUp({ ...sent('with a wrong code'), verification }))
  const inviteCode = scene.secret('invitation code that is wrong')
  await scene.refused(accounts.signUp({ ...sent('with a wrong invitation'), inviteCode }))
  const { state } = scene.parts.services
  for (const mood of ['refusing', 'confused', 'failing'] as const) {
    state.mood = mood
    await scene.refused(accounts.signUp(sent(`while the captcha is ${mood}`)))
  }
  state.mood = 'well'
  scene.parts.refuseMail(true)
  await scene.refused(accounts.signUp(sent('while no mail is taken')))
  scene.parts.refuseMail(false)
}

/** Has somebody change their password and address, in every way, and sign in and out. */
export async function changeCredentials(scene: Scene, member: Member): Promise<Member> {
  const { email } = member
  const anybody = scene.api().accounts
  const guess = scene.secret('password that was guessed')
  await scene.refused(anybody.signIn({ email, password: guess }))
  await scene.refused(anybody.signIn({ email: 'none@example.com', password: guess }))
  const { accounts } = member.api
  const newPassword = scene.secret('password that was changed')
  await scene.refused(accounts.changePassword({ password: guess, newPassword }))
  await accounts.changePassword({ password: member.password, newPassword })
  const session = await anybody.signIn({ email, password: newPassword })
  const { accounts: own } = scene.api(session.accessToken)
  const address = { email: `new-${email}`, password: newPassword }
  const { token } = await own.sendChangeEmailCode(address)
  const code = await scene.mailed('code for another address', sixDigits)
  const wrong = code === '111111' ? '222222' : '111111'
  await scene.refused(own.changeEmail({ email: address.email, token, code: wrong }))
  await own.changeEmail({ email: address.email, token, code })
  await anybody.sendPasswordReset({ email: address.email })
  const resetCode = await scene.mailed('code for a new password', /(?<=#reset-password=)\S{30,}/)
  const password = scene.secret('password that was set by a mail')
  await scene.refused(anybody.resetPassword({ code: `${resetCode}x`, password }))
  await scene.refused(anybody.resetPassword({ code: resetCode, password: 'short' }))
  await anybody.resetPassword({ code: resetCode, password })
  await scene.refused(anybody.resetPassword({ code: resetCode, password }))
  const { accessToken } = await anybody.signIn({ email: address.email, password })
  const next = { ...member, accessToken, password, email: address.email }
  return { ...next, api: scene.api(accessToken) }
}

/** Signs somebody in for a moment, by a cookie and by a header, and out again. */
export async function visit(scene: Scene, { email, password }: Member): Promise<void> {
  const signIn = { email, password }
  const { accessToken } = await scene.api().accounts.signIn(signIn)
  const headers = { Cookie: `gateleg_session=${accessToken}` }
  await scene.send({ path: '/api/auth/user/me', headers })
  await scene.send({ method: 'POST', path: '/api/auth/signout', headers, body: {} })
  await scene.send({ path: '/api/auth/user/me', headers })
  await scene.refused(scene.api(accessToken).spaces.listSpaces({}))
}
