import { type SaidClaims, stateOf } from '@gateleg/testing/doubles/saying-open-id-client'
import { openIdConfig } from '@gateleg/testing/factories/open-id-config'
import { refused } from '@gateleg/testing/observations/refused'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { beginWithProvider } from '@gateleg/testing/worlds/begin-with-provider'
import type { SignInWorld } from '@gateleg/testing/worlds/sign-in-world'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import { expect, test } from 'vitest'
import { openSignUp } from '../accounts/sign-up/sign-up-policy.ts'
import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'

const publicUrl = 'https://gateleg.example/tools'

describeOnEveryStorage('identities', (storage) => {
  let world: SignInWorld
  let owner: Person
  let providerId: string

  const deeds = beginWithProvider(storage, (opened, id) => {
    world = opened
    owner = opened.owner
    providerId = id
  })
  const { newPerson, newSpaceOwner, newName, verified, start, end, signIn, link } = deeds

  const identities = () => world.engine.public.identities
  const userOf = (session: Parameters<SignInWorld['userOf']>[0]) => world.userOf(session)

  test('[IDENTITY-1] the login page lists what people can sign in by, and none of its settings', async () => {
    const { person, providerId: id } = await newSpaceOwner()
    const { spaceId, api } = person
    const config = { appId: 'a', appSecret: 's' }
    await api.loginProviders.createLoginProvider({ spaceId, type: 'feishu', name: 'F', config })
    const list = () => identities().listSignInProviders({ spaceId })
    expect(await list()).toEqual([{ id, name: 'City account', type: 'oidc' }])
    expect(await identities().listSignInProviders({ spaceId: 'spcNone' })).toEqual([])
    await api.spaces.deleteSpace({ spaceId })
    expect(await list()).toEqual([])
    await refused(identities().startSignIn({ providerId: id }), 'not_found')
  })

  test('[IDENTITY-2] a flow begins with what ties the answer to the question', async () => {
    const { url, flow } = await start()
    const redirect = `${publicUrl}/api/auth/oidc/${providerId}/callback`
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(redirect)
    await end({ url, flow }, verified(newName()))
    const { connection, question } = world.openIdClient.asked.at(-1) ?? {}
    expect(connection).toMatchObject(openIdConfig)
    const { state, nonce, verifier } = question ?? {}
    expect(new Set([state, nonce, verifier]).size).toBe(3)
    expect(verifier).toMatch(/^[0-9a-f]{64}$/)
    for (const secret of [state, nonce, verifier]) expect(flow).not.toContain(secret)
    const config = { appId: 'a', appSecret: 's' }
    const { spaceId, api } = owner
    const feishu = { spaceId, type: 'feishu', name: 'F', config } as const
    const { id } = await api.loginProviders.createLoginProvider(feishu)
    for (const other of ['autNone', id]) {
      await refused(identities().startSignIn({ providerId: other }), 'not_found')
    }
    await api.loginProviders.deleteLoginProvider({ spaceId, authenticationId: id })
  })

  test('[IDENTITY-3] without a public URL nobody signs in by a provider', async () => {
    world.changing.publicUrl = undefined
    await refused(start(), 'restricted_resource', /PUBLIC_URL/)
  })

  test('[IDENTITY-4] a flow ends as it began, and in time', async () => {
    const begun = await start()
    const other = await start()
    const claims = verified(newName())
    const mixed = [
      { flow: undefined },
      { flow: '' },
      { flow: `${begun.flow}0` },
      { flow: begun.flow.replace('%22redirect%22%3A%22%2F', '$&%2F') },
      { flow: 'share.a.b.c' },
      { flow: other.flow },
      { state: stateOf(other.url) },
      { state: '' },
    ]
    for (const more of mixed) await refused(end(begun, claims, more), 'validation_error')
    const { providerId: foreign } = await newSpaceOwner()
    await refused(end(begun, claims, { providerId: foreign }), 'validation_error')
    world.clock.advance(10 * 60_000)
    await refused(end(begun, claims), 'validation_error', /10 minutes/)
    world.clock.advance(-1)
    expect(await end(begun, claims)).toMatchObject({ accessToken: expect.any(String) })
  })

  test('[IDENTITY-5] a flow ends once', async () => {
    const begun = await start()
    const claims = verified(newName())
    const ends = await Promise.allSettled([1, 2, 3].map(() => end(begun, claims)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const failing = await start()
    await refused(end(failing, { ...claims, subject: '' }), 'failed_dependency')
    await refused(end(failing, claims), 'validation_error', /used before/)
  })

  test('[IDENTITY-23] a flow for which the provider was not asked can be ended again', async () => {
    const begun = await start()
    const claims = verified(newName())
    const full = new DomainError('service_busy', 'Too many')
    const { identify } = world.openIdClient
    world.openIdClient.identify = () => Promise.reject(full)
    await refused(end(begun, claims), 'service_busy')
    world.openIdClient.identify = () =>
      Promise.reject(new DomainError('failed_dependency', 'No answer'))
    await refused(end(begun, claims), 'failed_dependency')
    world.openIdClient.identify = identify
    await refused(end(begun, claims), 'validation_error', /used/)
  })

  test('[IDENTITY-6] a flow leads to our own site alone', async () => {
    const elsewhere = [
      ...['//evil.example', '/\\evil.example', 'https://evil.example/', 'evil.example', ''],
      ...['/\t/evil.example', '/\n/evil.example', '\\\\evil.example', ' /x', '/x y', '/é'],
      `/${'x'.repeat(500)}`,
    ]
    for (const redirect of elsewhere) await refused(start({ redirect }), 'validation_error')
    const claims = verified(newName())
    for (const path of [
      '/',
      '/a/b?c=d#e',
      '/%2F/evil.example',
      '/@evil.example',
      '/.evil.example',
    ]) {
      const { redirect } = await signIn(claims, { redirect: path })
      expect(redirect).toBe(`https://gateleg.example${path}`)
      expect(new URL(redirect).host).toBe('gateleg.example')
    }
  })

  test('[IDENTITY-7] why the provider signed nobody in is told', async () => {
    const claims = verified(newName())
    const refuse = async (error: string) => end(await start(), claims, { error })
    await refused(refuse('access_denied'), 'restricted_resource', /access_denied/)
    await refused(refuse('<b>Call 555</b>'), 'restricted_resource', /without a reason/)
    await refused(end(await start(), claims, { code: undefined }), 'validation_error')
  })

  test('[IDENTITY-8] a provider that is removed or changed meanwhile signs nobody in', async () => {
    const { api, spaceId } = owner
    const authenticationId = providerId
    const changing = await start()
    const changed = { ...openIdConfig, tokenUrl: 'https://login.example.com/other' }
    const sent = { spaceId, authenticationId, name: 'City account', config: changed } as const
    await api.loginProviders.updateLoginProvider({ ...sent, type: 'oidc' })
    await refused(end(changing, verified(newName())), 'conflict', /changed meanwhile/)
    // Changed back it is another one: meanwhile its owner could have had somebody else answer the question of this flow.
    const answered = await start()
    for (const config of [openIdConfig, changed]) {
      await api.loginProviders.updateLoginProvider({ ...sent, config, type: 'oidc' })
    }
    await refused(end(answered, verified(newName())), 'conflict', /changed meanwhile/)
    const removing = await start()
    await api.loginProviders.deleteLoginProvider({ spaceId, authenticationId })
    await refused(end(removing, verified(newName())), 'not_found')
  })

  test('[IDENTITY-9] [IDENTITY-10] who has an identity signs in, whatever their address is, while the settings are the same', async () => {
    const name = newName()
    const { api: first, userId } = await userOf(await signIn(verified(name)))
    expect(await first.accounts.getMe({})).toMatchObject({ hasPassword: false, name })
    const moved = { subject: name, email: 'other@provider.example' }
    expect(await userOf(await signIn(moved))).toMatchObject({ userId })
    const { api, spaceId } = owner
    const update = (config: object, title = 'City account') =>
      api.loginProviders.updateLoginProvider({
        ...{ spaceId, authenticationId: providerId, type: 'oidc', name: title },
        config: { ...openIdConfig, ...config },
      })
    await update({ clientSecret: 'another secret' }, 'Another name')
    expect(await userOf(await signIn(moved))).toMatchObject({ userId })
    for (const member of ['issuer', 'tokenUrl', 'userInfoUrl', 'authorizationUrl'] as const) {
      await update({ [member]: 'https://evil.example/x' })
      await refused(signIn(verified(name)), 'conflict', /has an account already/)
    }
    await update({ clientId: 'another client' })
    await refused(signIn(moved), 'restricted_resource')
    expect(await first.identities.listIdentities({})).toMatchObject([{ isUsable: false }])
    await update({})
    expect(await userOf(await signIn(moved))).toMatchObject({ userId })
  })

  test('[IDENTITY-9] an identity has a name of at most 255 characters of ASCII', async () => {
    expect(limits.subjectLength).toBe(255)
    const longest = newName().padEnd(255, '-')
    const claimsOf = (subject: string) => ({ ...verified(newName()), subject })
    const { userId } = await userOf(await signIn(claimsOf(longest)))
    expect(await userOf(await signIn(claimsOf(longest)))).toMatchObject({ userId })
    const isRefused = (subject: string, most: number) => {
      const reason = new RegExp(`named nobody: a name has ${most} characters`)
      return refused(signIn(claimsOf(subject)), 'failed_dependency', reason)
    }
    for (const wrong of [`${longest}-`, '', `${newName()}é`]) await isRefused(wrong, 255)
    await withLimits({ subjectLength: 254 }, () => isRefused(longest, 254))
  })

  test('[IDENTITY-10] [IDENTITY-12] many who bring an identity at once that nobody has are one user', async () => {
    const claims = verified(newName())
    const ended = await Promise.all([1, 2, 3, 4].map(() => signIn(claims)))
    const users = await Promise.all(ended.map(userOf))
    expect(new Set(users.map(({ userId }) => userId)).size).toBe(1)
  })

  test('[IDENTITY-4] what a flow gives away of itself is no flow', async () => {
    const { url, flow } = await start()
    const { token } = JSON.parse(decodeURIComponent(flow.slice('sign-in.'.length, -65)))
    for (const name of ['state', 'nonce']) {
      const tie = world.openIdClient.asked.at(-1)?.question.nonce
      const signature = name === 'state' ? stateOf(url) : (tie ?? '')
      const forged = { url, flow: `sign-in.${name}.${token}.${signature}` }
      await refused(end(forged, verified(newName())), 'validation_error', /flow/)
    }
  })

  test('[IDENTITY-11] a provider that lies of addresses gets into no account', async () => {
    const ada = await newPerson()
    const mallory = await newSpaceOwner()
    const signInThere = (claims: SaidClaims) => world.signIn(mallory.providerId, claims)
    for (const email of [ada.email, ada.email.toUpperCase(), owner.email]) {
      const lie = { subject: 'ada', email, isEmailVerified: true }
      await refused(signInThere(lie), 'conflict', /sign in to it, and link/)
    }
    // Nor by the name that another provider gives to somebody.
    const name = newName()
    const honest = await world.addProvider()
    await link(ada, { subject: name }, honest)
    await refused(signInThere({ subject: name }), 'restricted_resource')
    expect(await userOf(await signInThere(verified(name)))).not.toMatchObject({
      userId: ada.userId,
    })
  })

  test('[IDENTITY-12] an account is made for a verified address alone, without power', async () => {
    const name = newName()
    const claims = verified(name)
    for (const more of [
      { isEmailVerified: false },
      { email: undefined },
      { email: 'none' },
      { email: 'x@user.invalid' },
    ]) {
      await refused(signIn({ ...claims, ...more }), 'restricted_resource', /verified/)
    }
    const { api, userId } = await userOf(await signIn({ ...claims, name: ' Grace Hopper ' }))
    expect(await api.accounts.getMe({})).toMatchObject({
      ...{ name: 'Grace Hopper', email: claims.email, hasPassword: false, isAdmin: false },
    })
    expect(await api.spaces.listSpaces({})).toMatchObject([{ name: "Grace Hopper's space" }])
    const { email } = claims
    const guess = world.engine.public.accounts.signIn({ email, password: testPassword })
    await refused(guess, 'invalid_credentials')
    const again = await Promise.allSettled([1, 2].map(() => signIn(verified(`${name}-x`))))
    const ids = await Promise.all(
      again.flatMap((one) => (one.status === 'fulfilled' ? [userOf(one.value)] : [])),
    )
    expect(new Set(ids.map((one) => one.userId)).size).toBe(1)
    expect(ids[0]?.userId).not.toBe(userId)
  })

  test('[IDENTITY-13] that obeys who may sign up', async () => {
    const known = verified(newName())
    await signIn(known)
    const [{ code }, claims] = [
      await owner.api.accounts.createInviteCode({ uses: 1 }),
      verified(newName()),
    ]
    const humanCheck = { isHuman: async () => true }
    const codeMailer = { send: async () => undefined }
    for (const closing of [{ closed: true }, { humanCheck }, { codeMailer }]) {
      world.changing.policy = { ...openSignUp, ...closing }
      // The same is said of every address, with an account or not: a provider may tell any.
      for (const { email } of [claims, known]) {
        const said = 'closed' in closing ? /closed/ : /sign in to the one that you have, or/
        await refused(signIn({ ...verified(newName()), email }), 'restricted_resource', said)
      }
      expect(await signIn(known)).toHaveProperty('accessToken')
    }
    world.changing.policy = { ...openSignUp, inviteOnly: true }
    await refused(signIn(claims), 'validation_error', /inviteCode/)
    await refused(signIn(claims, { inviteCode: 'none' }), 'validation_error', /inviteCode/)
    await refused(
      signIn({ ...claims, isEmailVerified: false }, { inviteCode: code }),
      'restricted_resource',
    )
    expect(await signIn(claims, { inviteCode: code })).toHaveProperty('accessToken')
    await refused(signIn(verified(newName()), { inviteCode: code }), 'validation_error')
  })

  test('[IDENTITY-14] signing in gives no role in the space of the provider', async () => {
    const { api } = await userOf(await signIn(verified(newName())))
    await refused(api.spaces.getSpace({ spaceId: owner.spaceId }), 'not_found')
  })
})
