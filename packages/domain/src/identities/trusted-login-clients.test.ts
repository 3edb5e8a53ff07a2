import { KeptMail } from '@gateleg/testing/kept-mail'
import { openIdConfig } from '@gateleg/testing/operations/identities'
import { codeOf, SayingOpenIdClient, stateOf } from '@gateleg/testing/saying-open-id-client'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSignUp, type SignUpPolicy } from '../accounts/sign-up-policy.ts'
import { defaultSettings } from '../settings.ts'

const { issuer, clientId } = openIdConfig
const email = 'ada@example.com'
const newPassword = 'another horse 2'

describeOnEveryStorage('trusted login clients', (storage) => {
  let world: World
  let owner: Person
  let mailer: KeptMail
  let policy: SignUpPolicy
  let names = 0

  beforeEach(async () => {
    mailer = new KeptMail()
    policy = openSignUp
    world = await openWorld(storage, {
      openIdClient: new SayingOpenIdClient(),
      signUpPolicy: {
        get closed() {
          return policy.closed
        },
        get inviteOnly() {
          return policy.inviteOnly
        },
        get humanCheck() {
          return policy.humanCheck as never
        },
        get codeMailer() {
          return policy.codeMailer as never
        },
      },
      settings: {
        ...{ ...defaultSettings, publicUrl: 'https://gateleg.example' },
        trustedLoginClients: [
          { issuer: 'https://other.example', clientId: 'x' },
          { issuer, clientId },
        ],
      },
      mail: { mailer },
    })
    owner = await world.newPerson('Owner')
  })
  afterEach(() => world.close())

  async function addProvider(more: object = {}) {
    const { api, spaceId } = owner
    const config = { ...openIdConfig, ...more }
    const given = { spaceId, type: 'oidc', name: 'City account', config } as const
    return (await api.loginProviders.createLoginProvider(given)).id
  }
  async function signIn(providerId: string, more: object = {}) {
    const { startSignIn, finishSignIn } = world.engine.public.identities
    const { url, flow } = await startSignIn({ providerId })
    const subject = `name${names++}`
    const said = { subject, email, isEmailVerified: true, isFromIssuer: true, ...more }
    const { accessToken = '' } = await finishSignIn({
      ...{ providerId, flow, state: stateOf(url), code: codeOf(said) },
    })
    return userOf(accessToken)
  }
  async function userOf(accessToken: string) {
    const actor = await world.engine.authenticate(accessToken)
    if (actor?.kind !== 'user') throw new Error('no session')
    return { userId: actor.userId, api: world.engine.as(actor) }
  }
  const accounts = () => world.engine.public.accounts
  /** An account of the address, by a mailed code. */
  async function signUpByMail() {
    policy = { ...openSignUp, codeMailer: mailer }
    const { token } = await accounts().sendSignUpCode({ email })
    const verification = { token, code: mailer.code }
    const { accessToken } = await accounts().signUp({
      email,
      password: testPassword,
      verification,
    })
    policy = openSignUp
    return userOf(accessToken)
  }
  async function resetPassword(of: string) {
    await accounts().sendPasswordReset({ email: of })
    const codeOfMail = () => /^usr.*$/m.exec(mailer.mails.at(-1)?.text ?? '')?.[0]
    await expect.poll(codeOfMail).toBeDefined()
    await accounts().resetPassword({ code: codeOfMail() ?? '', password: newPassword })
  }
  const isRefused = (call: Promise<unknown>, code = 'conflict') =>
    expect(call).rejects.toMatchObject({ code })

  test('[IDENTITY-24] lead to the account that has shown its address to be its own', async () => {
    const { userId, api } = await signUpByMail()
    const providerId = await addProvider()
    const subject = 'ada of the city'
    const mails = mailer.mails.length
    const first = await signIn(providerId, { subject, email: 'ADA@Example.com' })
    expect(first.userId).toBe(userId)
    expect(await api.identities.listIdentities({})).toMatchObject([{ subject, isUsable: true }])
    await expect
      .poll(() => mailer.mails.slice(mails))
      .toMatchObject([{ to: email, subject: 'A login provider was linked to your account' }])
    // From now on it is the name that counts, whatever becomes of the address there.
    expect(await signIn(providerId, { subject, email: owner.email })).toMatchObject({ userId })
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
    const { userId, api } = await userOf((await world.newPerson('Bob')).accessToken)
    const { token } = await api.accounts.sendChangeEmailCode({ email, password: testPassword })
    await api.accounts.changeEmail({ email, token, code: mailer.code })
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
    policy = { ...openSignUp, codeMailer: mailer }
    await isRefused(signIn(providerId, { isFromIssuer: false }), 'restricted_resource')
    const { userId } = await signIn(providerId)
    // Made by such a client, it has shown its address: another identity leads to it.
    expect(await signIn(providerId)).toMatchObject({ userId })
    const humanCheck = { isHuman: async () => true }
    for (const closing of [{ closed: true }, { humanCheck }]) {
      policy = { ...openSignUp, ...closing }
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
