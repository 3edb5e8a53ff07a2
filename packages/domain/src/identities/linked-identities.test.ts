import { openIdConfig } from '@gateleg/testing/factories/open-id-config'
import { refused } from '@gateleg/testing/observations/refused'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { beginWithProvider } from '@gateleg/testing/worlds/begin-with-provider'
import type { SignInWorld } from '@gateleg/testing/worlds/sign-in-world'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('linked identities', (storage) => {
  let world: SignInWorld
  let owner: Person
  let providerId: string

  const deeds = beginWithProvider(storage, (opened, id) => {
    world = opened
    owner = opened.owner
    providerId = id
  })
  const { newPerson, newSpaceOwner, newName, verified, end, signIn, link } = deeds

  const userOf = (session: Parameters<SignInWorld['userOf']>[0]) => world.userOf(session)

  test('[IDENTITY-15] linking takes a session and the password', async () => {
    const ada = await newPerson()
    const { api } = await userOf(ada)
    const begin = (more: object) => api.identities.startLinking({ providerId, ...more })
    await refused(begin({}), 'validation_error', /password/)
    await refused(begin({ password: 'wrong password 1' }), 'invalid_credentials')
    const token = await ada.api.accessTokens.createToken({
      ...{ name: 'T', scopes: ['space|read'], expiredTime: '2999-01-01', hasFullAccess: true },
    })
    const actor = await world.engine.authenticate(token.token)
    const byToken = world.engine.as(actor ?? { userId: '' }).identities
    await refused(
      byToken.startLinking({ providerId, password: testPassword }),
      'restricted_resource',
    )
    await refused(byToken.listIdentities({}), 'restricted_resource')
    for (let guess = 0; guess < 4; guess++) {
      await refused(begin({ password: 'wrong password 1' }), 'invalid_credentials')
    }
    await refused(begin({ password: testPassword }), 'too_many_requests')
    // Who has no password has a session alone, which was opened just now.
    const name = newName()
    const { api: stale } = await userOf(await signIn(verified(name)))
    world.clock.advance(limits.freshSessionMinutes * 60_000)
    await refused(stale.identities.startLinking({ providerId }), 'restricted_resource', /sign in/)
    const { api: made } = await userOf(await signIn({ subject: name }))
    const other = await world.addProvider()
    await end(
      await made.identities.startLinking({ providerId: other }),
      { subject: 'm' },
      { providerId: other },
    )
    expect(await made.identities.listIdentities({})).toHaveLength(2)
  })

  test('[IDENTITY-16] an identity is linked to whom began it, and opens no session', async () => {
    const ada = await newPerson()
    const name = newName()
    expect(await link(ada, { subject: name })).toEqual({ redirect: 'https://gateleg.example/' })
    expect(await userOf(await signIn({ subject: name }))).toMatchObject({ userId: ada.userId })
    const bob = await newPerson()
    const { api } = await userOf(bob)
    const begun = await api.identities.startLinking({ providerId, password: testPassword })
    await api.accounts.signOut({})
    await refused(end(begun, { subject: newName() }), 'restricted_resource', /signed out/)
    expect(await bob.api.identities.listIdentities({})).toEqual([])
  })

  test('[IDENTITY-17] an identity is of one account', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()]
    const claims = { subject: newName() }
    await link(ada, claims)
    await link(ada, claims)
    await refused(link(bob, claims), 'conflict', /another account/)
    expect(await userOf(await signIn(claims))).toMatchObject({ userId: ada.userId })
    expect(await ada.api.identities.listIdentities({})).toHaveLength(1)
  })

  test('[IDENTITY-18] a user has so many at most', async () => {
    const ada = await newPerson()
    await withLimits({ identitiesPerUser: 2 }, async () => {
      await link(ada, { subject: newName() })
      await link(ada, { subject: newName() })
      await refused(link(ada, { subject: newName() }), 'restricted_resource', /2 identities/)
    })
  })

  test('[IDENTITY-19] users see and unlink their own, but the last way in', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()]
    const name = newName()
    await link(ada, { subject: name })
    const [linked] = await ada.api.identities.listIdentities({})
    expect(linked).toEqual({
      ...{ id: expect.stringMatching(/^idn/), providerId, providerName: 'City account' },
      ...{ subject: name, createdTime: expect.any(String), isUsable: true },
    })
    const identityId = linked?.id ?? ''
    await refused(bob.api.identities.unlinkIdentity({ identityId }), 'not_found')
    await ada.api.identities.unlinkIdentity({ identityId })
    await refused(signIn({ subject: name }), 'restricted_resource')
    await refused(ada.api.identities.unlinkIdentity({ identityId }), 'not_found')
    const { api } = await userOf(await signIn(verified(newName())))
    const [only] = await api.identities.listIdentities({})
    const unlink = (id = '') => api.identities.unlinkIdentity({ identityId: id })
    await refused(unlink(only?.id), 'restricted_resource', /alone/)
    const { person, providerId: of } = await newSpaceOwner()
    await end(
      await api.identities.startLinking({ providerId: of }),
      { subject: 's' },
      { providerId: of },
    )
    const changed = { ...openIdConfig, clientId: 'other' }
    await person.api.loginProviders.updateLoginProvider({
      ...{
        spaceId: person.spaceId,
        authenticationId: of,
        type: 'oidc',
        name: 'New',
        config: changed,
      },
    })
    await refused(unlink(only?.id), 'restricted_resource', /alone/)
    const both = await api.identities.listIdentities({})
    await unlink(both.find((one) => one.providerId === of)?.id)
    expect(await api.identities.listIdentities({})).toEqual([only])
  })

  test("[IDENTITY-19] an identity doesn't work while the space of its provider is in the trash", async () => {
    const { api } = await userOf(await signIn(verified(newName())))
    const [only] = await api.identities.listIdentities({})
    const { person, providerId: of } = await newSpaceOwner()
    const begun = await api.identities.startLinking({ providerId: of })
    await end(begun, { subject: newName() }, { providerId: of })
    await person.api.spaces.deleteSpace({ spaceId: person.spaceId })
    const both = await api.identities.listIdentities({})
    const usable = new Map(both.map((one) => [one.providerId, one.isUsable]))
    expect(usable).toEqual(new Map([[providerId, true]]).set(of, false))
    const unlink = api.identities.unlinkIdentity({ identityId: only?.id ?? '' })
    await refused(unlink, 'restricted_resource', /alone/)
  })

  test('[IDENTITY-21] a password that is set by a mailed code leaves no identity', async () => {
    const ada = await newPerson()
    const name = newName()
    await link(ada, { subject: name })
    await world.engine.public.accounts.sendPasswordReset({ email: ada.email })
    await expect.poll(() => world.mailer.mails.at(-1)?.text).toMatch(/^usr/m)
    const code = /^usr.*$/m.exec(world.mailer.mails.at(-1)?.text ?? '')?.[0] ?? ''
    await world.engine.public.accounts.resetPassword({ code, password: 'correct horse 2' })
    await refused(signIn({ subject: name }), 'restricted_resource')
    expect(await ada.api.identities.listIdentities({})).toEqual([])
  })

  test('[IDENTITY-22] an account without a password gets its first one, once', async () => {
    const password = 'first horse 1'
    const name = newName()
    const ada = await newPerson()
    const { api: stale } = await userOf(await signIn(verified(name)))
    const add = (by: Person['api']) => by.accounts.addPassword({ password })
    // A session that somebody left open doesn't become a way in that lasts.
    world.clock.advance(limits.freshSessionMinutes * 60_000)
    await refused(add(stale), 'restricted_resource', /sign in again/)
    const { api, userId } = await userOf(await signIn({ subject: name }))
    await refused(add(ada.api), 'conflict')
    const { id } = await world.engine.ensureUser({ name: 'Nobody' })
    const nobody = world.engine.as({ userId: id })
    await refused(add(nobody), 'restricted_resource', /address/)
    const { token } = await api.accessTokens.createToken({
      ...{ name: 'Import', scopes: ['space|read'], hasFullAccess: true, expiredTime: '2999-12-31' },
    })
    const program = world.engine.as((await world.engine.authenticate(token)) as never)
    await refused(add(program), 'restricted_resource', /session/)
    const { email } = await api.accounts.getMe({})
    const given = { email: email ?? '', password }
    await refused(world.engine.public.accounts.signIn(given), 'invalid_credentials')
    const outcomes = await Promise.allSettled([add(api), add(api)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect
      .poll(() => world.mailer.mails.at(-1)?.text)
      .toMatch(/A password was added to your account/)
    expect(await world.engine.public.accounts.signIn(given)).toMatchObject({
      ...{ id: userId, hasPassword: true },
    })
    await refused(add(api), 'conflict')
    const [only] = await api.identities.listIdentities({})
    await api.identities.unlinkIdentity({ identityId: only?.id ?? '' })
    await refused(signIn({ subject: name }), 'restricted_resource')
  })

  test('[IDENTITY-20] identities go with their provider and its space', async () => {
    const ada = await newPerson()
    const { person, providerId: of } = await newSpaceOwner()
    await link(ada, { subject: 'a' }, of)
    const { api, spaceId } = owner
    await link(ada, { subject: newName() })
    const kept = () => ada.api.identities.listIdentities({})
    expect(await kept()).toHaveLength(2)
    await api.loginProviders.deleteLoginProvider({ spaceId, authenticationId: providerId })
    expect(await kept()).toMatchObject([{ providerId: of }])
    await person.api.spaces.deleteSpace({ spaceId: person.spaceId })
    await person.api.spaces.deleteSpacePermanently({ spaceId: person.spaceId })
    expect(await kept()).toEqual([])
  })
})
