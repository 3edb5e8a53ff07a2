import { openIdConfig } from '@gateleg/testing/factories/open-id-config'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openSignInWorld, type SignInWorld } from '@gateleg/testing/worlds/sign-in-world'
import { testPassword } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSignUp } from '../accounts/sign-up/sign-up-policy.ts'

const { issuer, clientId } = openIdConfig
const email = 'ada@example.com'
const newPassword = 'another horse 2'

describeOnEveryStorage('trusted login clients', (storage) => {
  let world: SignInWorld
  let names = 0

  beforeEach(async () => {
    const other = { issuer: 'https://other.example', clientId: 'x' }
    world = await openSignInWorld(storage, { trustedLoginClients: [other, { issuer, clientId }] })
  })
  afterEach(() => world.close())

  const addProvider = (more: object = {}) =>
    world.addProvider(world.owner, { ...openIdConfig, ...more })
  async function signIn(providerId: string, more: object = {}) {
    const subject = `name${names++}`
    const said = { subject, email, isEmailVerified: true, isFromIssuer: true, ...more }
    return world.userOf(await world.signIn(providerId, said))
  }
  const accounts = () => world.engine.public.accounts
  /** An account of the address, by a mailed code. */
  async function signUpByMail() {
    world.changing.policy = { ...openSignUp, codeMailer: world.mailer }
    const { token } = await accounts().sendSignUpCode({ email })
    const verification = { token, code: world.mailer.code }
    const { accessToken } = await accounts().signUp({
      email,
      password: testPassword,
      verification,
    })
    world.changing.policy = openSignUp
    return world.userOf({ accessToken })
  }
  async function resetPassword(of: string) {
    await accounts().sendPasswordReset({ email: of })
    const codeOfMail = () => /^usr.*$/m.exec(world.mailer.mails.at(-1)?.text ?? '')?.[0]
    await expect.poll(codeOfMail).toBeDefined()
    await accounts().resetPassword({ code: codeOfMail() ?? '', password: newPassword })
  }
  const isRefused = (call: Promise<unknown>, code = 'conflict') =>
    expect(call).rejects.toMatchObject({ code })

  test('[IDENTITY-24] lead to the account that has shown its address to be its own', async () => {
    const { userId, api } = await signUpByMail()
    const providerId = await addProvider()
    const subject = 'ada of the city'
    const mails = world.mailer.mails.length
    const first = await signIn(providerId, { subject, email: 'ADA@Example.com' })
    expect(first.userId).toBe(userId)
    expect(await api.identities.listIdentities({})).toMatchObject([{ subject, isUsable: true }])
    await expect
      .poll(() => world.mailer.mails.slice(mails))
      .toMatchObject([{ to: email, subject: 'A login provider was linked to your account' }])
    // From now on it is the name that counts, whatever becomes of the address there.
    expect(await signIn(providerId, { subject, email: world.owner.email })).toMatchObject({
      userId,
    })
    const claims = { email, password: testPassword }
    expect(await accounts().signIn(claims)).toMatchObject({ id: userId })
    await withLimits({ identitiesPerUser: 1 }, () =>
      isRefused(signIn(providerId), 'restricted_resource'),
    )
  })

  test('[IDENTITY-24] lead to no account by what another client says, or says by the way of others', async () => {
    const { api } = await signUpByMail()
    const trusted = await addProvider()
    for (const more of [{ isFromIssuer: false }, { isFromIssuer: undefined }]) {
      await isRefused(signIn(trusted, more))
    }
    await isRefused(signIn(trusted, { isEmailVerified: false }), 'restricted_resource')
    for (const more of [
      { clientId: 'x' },
      { issuer: 'https://other.example' },
      { issuer: `${issuer}/` },
      { clientId: clientId.toUpperCase() },
    ]) {
      await isRefused(signIn(await addProvider(more)))
    }
    expect(await api.identities.listIdentities({})).toEqual([])
  })

  test('[ACCOUNT-67] [IDENTITY-24] lead to no account whose address was not shown to be its own', async () => {
    const providerId = await addProvider()
    const { userId } = await world.newPerson('Ada')
    await isRefused(signIn(providerId))
    await resetPassword(email)
    expect(await signIn(providerId)).toMatchObject({ userId })
  })

  test('[ACCOUNT-67] [IDENTITY-24] lead by the address that an account has now', async () => {
    const providerId = await addProvider()
    const { userId, api } = await world.userOf(await world.newPerson('Bob'))
    const { token } = await api.accounts.sendChangeEmailCode({ email, password: testPassword })
    await api.accounts.changeEmail({ email, token, code: world.mailer.code })
    expect(await signIn(providerId)).toMatchObject({ userId })
    // The address that it had is anybody's again.
    const other = await signIn(providerId, { email: 'bob@example.com' })
    expect(other.userId).not.toBe(userId)
  })

  test('[ACCOUNT-67] [IDENTITY-24] lead to no user of an embedding program, nor by an address that it gave', async () => {
    const providerId = await addProvider()
    await world.engine.ensureUser({ id: 'usrOwn', name: 'Own', email: 'own@example.com' })
    await isRefused(signIn(providerId, { email: 'own@example.com' }))
    const { userId } = await signUpByMail()
    await world.engine.ensureUser({ id: userId, name: 'Ada', email })
    expect(await signIn(providerId)).toMatchObject({ userId })
    await world.engine.ensureUser({ id: userId, name: 'Ada', email: 'given@example.com' })
    await isRefused(signIn(providerId, { email: 'given@example.com' }))
  })

  test('[IDENTITY-13] [IDENTITY-24] make an account where sign-up takes a mailed code, and not where it is closed', async () => {
    const providerId = await addProvider()
    world.changing.policy = { ...openSignUp, codeMailer: world.mailer }
    await isRefused(signIn(providerId, { isFromIssuer: false }), 'restricted_resource')
    const { userId } = await signIn(providerId)
    // Made by such a client, it has shown its address: another identity leads to it.
    expect(await signIn(providerId)).toMatchObject({ userId })
    const humanCheck = { isHuman: async () => true }
    for (const closing of [{ closed: true }, { humanCheck }]) {
      world.changing.policy = { ...openSignUp, ...closing }
      await isRefused(signIn(providerId, { email: 'new@example.com' }), 'restricted_resource')
      expect(await signIn(providerId)).toMatchObject({ userId })
    }
  })

  test('[IDENTITY-24] lead to one account when many sign in at once', async () => {
    const { userId, api } = await signUpByMail()
    const providerId = await addProvider()
    const subject = 'ada of the city'
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => signIn(providerId, { subject })))
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') expect(outcome.value.userId).toBe(userId)
      else expect(outcome.reason).toMatchObject({ code: 'conflict' })
    }
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await api.identities.listIdentities({})).toHaveLength(1)
  })
})
