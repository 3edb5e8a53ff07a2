import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../access/actor.ts'
import { anonymous } from '../access/actor.ts'
import type { Action } from '../access/roles.ts'
import { initialsAvatar } from './users/initials-avatar.ts'

const newPassword = 'another horse 2'

describeOnEveryStorage('my account', (storage) => {
  let world: World
  let ada: Person

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
  })
  afterEach(() => world.close())

  const byToken = (...scopes: Action[]) => {
    const { userId } = ada
    return world.engine.as({ kind: 'token', userId, tokenId: 'acc1', scopes: new Set(scopes) })
  }

  const bySession = async (accessToken: string) =>
    world.engine.as((await world.engine.authenticate(accessToken)) as Actor)

  test('[ACCOUNT-24] refuses access tokens', async () => {
    const { accounts } = byToken('user|email_read')
    for (const call of [
      () => accounts.changeName({ name: 'Eve' }),
      () => accounts.changePassword({ password: testPassword, newPassword }),
      () => accounts.changeLanguage({ lang: 'de' }),
      () => accounts.changeNotices({ email: false }),
      () => accounts.listSessions({}),
      () => accounts.revokeSession({ sessionId: 'ses1' }),
      () => accounts.signOut({}),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'restricted_resource' })
    }
  })

  test('[ACCOUNT-24] counts no guess for a caller who may not guess', async () => {
    for (let round = 0; round < 6; round++) {
      await expect(
        byToken().accounts.changePassword({ password: 'wrong horse 1', newPassword }),
      ).rejects.toMatchObject({ code: 'restricted_resource' })
    }
    await ada.api.accounts.changePassword({ password: testPassword, newPassword })
  })

  test('[ACCOUNT-30] refuses a caller without an account', async () => {
    const { accounts } = world.engine.as({ userId: 'usr0000000000000000' })
    for (const call of [
      () => accounts.getMe({}),
      () => accounts.changeName({ name: 'Eve' }),
      () => accounts.changePassword({ password: testPassword, newPassword }),
      () => world.engine.as(anonymous).accounts.getMe({}),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'unauthorized' })
    }
  })

  test('[ACCOUNT-25] answers my account, without the address where the scope is missing', async () => {
    const me = {
      id: ada.userId,
      name: 'ada',
      notifyMeta: { email: true },
      hasPassword: true,
      isAdmin: true,
      avatar: expect.stringMatching(/^data:image\/svg\+xml,/),
      version: 1,
    }
    expect(await ada.api.accounts.getMe({})).toEqual({ ...me, email: ada.email })
    expect(await byToken('user|email_read').accounts.getMe({})).toEqual({ ...me, email: ada.email })
    expect(await byToken('record|read').accounts.getMe({})).toEqual(me)
  })

  test('[ACCOUNT-26] answers who I am', async () => {
    const avatar = expect.stringMatching(/^data:image\/svg\+xml,/)
    const user = { id: ada.userId, name: 'ada', avatar }
    expect(await ada.api.accounts.getUser({})).toEqual({ ...user, email: ada.email })
    expect(await byToken('user|email_read').accounts.getUser({})).toEqual({
      ...user,
      email: ada.email,
    })
    expect(await byToken().accounts.getUser({})).toEqual(user)
  })

  test('[ACCOUNT-45] redraws the initials at a rename', async () => {
    const avatar = async () => (await ada.api.accounts.getMe({})).avatar
    const before = await avatar()
    await ada.api.accounts.changeName({ name: 'Zoe Quint' })
    expect(await avatar()).toBe(initialsAvatar({ id: ada.userId, name: 'Zoe Quint' }))
    expect(await avatar()).not.toBe(before)
  })

  test('[ACCOUNT-27] renames me, once', async () => {
    const heard: string[] = []
    world.engine.subscribe(({ name }) => heard.push(name))
    for (const name of ['', '  ', 'x'.repeat(101)]) {
      await expect(ada.api.accounts.changeName({ name })).rejects.toMatchObject({
        code: 'validation_error',
      })
    }
    await ada.api.accounts.changeName({ name: ' Ada Lovelace ' }, { ifMatch: [1] })
    await expect(
      ada.api.accounts.changeName({ name: 'Countess' }, { ifMatch: [1] }),
    ).rejects.toMatchObject({ code: 'precondition_failed' })
    await ada.api.accounts.changeName({ name: 'Ada Lovelace' })
    expect(await ada.api.accounts.getMe({})).toMatchObject({ name: 'Ada Lovelace', version: 2 })
    expect(heard).toEqual(['user.updated'])
  })

  test('[ACCOUNT-57] notes my language and whether I want notices, once', async () => {
    const { changeLanguage, changeNotices, getMe } = ada.api.accounts
    for (const lang of ['', 'd', 'en_US', 'de-', 'x'.repeat(9), 'de-DE-'.repeat(7)]) {
      await expect(changeLanguage({ lang })).rejects.toMatchObject({ code: 'validation_error' })
    }
    const heard: string[] = []
    world.engine.subscribe(({ name }) => heard.push(name))
    for (let times = 0; times < 2; times++) {
      await changeLanguage({ lang: 'pt-BR' })
      await changeNotices({ email: false })
      await changeNotices({})
    }
    expect(heard).toEqual(['user.updated', 'user.updated'])
    expect(await getMe({})).toMatchObject({ lang: 'pt-BR', notifyMeta: { email: false } })
  })

  test('[ACCOUNT-28] refuses a weak new password and a wrong old one', async () => {
    const { changePassword } = ada.api.accounts
    await expect(
      changePassword({ password: testPassword, newPassword: 'abcdefgh' }),
    ).rejects.toMatchObject({ data: { issues: [{ path: ['newPassword'] }] } })
    for (let round = 0; round < 5; round++) {
      await expect(
        changePassword({ password: 'wrong horse 1', newPassword }),
      ).rejects.toMatchObject({ code: 'invalid_credentials', message: 'The password is wrong' })
    }
    const locked = { code: 'too_many_requests' }
    await expect(changePassword({ password: testPassword, newPassword })).rejects.toMatchObject(
      locked,
    )
    const { email } = ada
    await expect(
      world.engine.public.accounts.signIn({ email, password: testPassword }),
    ).rejects.toMatchObject(locked)
  })

  test('[ACCOUNT-29] a new password ends the other sessions and the old password', async () => {
    const { public: everyone, authenticate } = world.engine
    const { email } = ada
    const other = await everyone.accounts.signIn({ email, password: testPassword })
    const bob = await world.newPerson('Bob')
    const me = await bySession(ada.accessToken)
    await me.accounts.changePassword({ password: testPassword, newPassword })
    expect(await authenticate(other.accessToken)).toBeUndefined()
    expect(await authenticate(ada.accessToken)).toBeDefined()
    expect(await authenticate(bob.accessToken)).toBeDefined()
    await expect(everyone.accounts.signIn({ email, password: testPassword })).rejects.toMatchObject(
      { code: 'invalid_credentials' },
    )
    await everyone.accounts.signIn({ email, password: newPassword })
  })

  test('[ACCOUNT-29] a new password set by the embedding program ends all sessions', async () => {
    await ada.api.accounts.changePassword({ password: testPassword, newPassword })
    expect(await world.engine.authenticate(ada.accessToken)).toBeUndefined()
  })

  test('[ACCOUNT-29] one of two changes at once wins', async () => {
    const results = await Promise.allSettled(
      ['first horse 1', 'second horse 2'].map((candidate) =>
        ada.api.accounts.changePassword({ password: testPassword, newPassword: candidate }),
      ),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
