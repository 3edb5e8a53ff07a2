import { PlainPasswordHasher } from '@gateleg/testing/doubles/plain-password-hasher'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'

const minuteMs = 60_000
const wrong = 'wrong horse 1'

describeOnEveryStorage('sign-in', (storage) => {
  let world: World
  let passwords: PlainPasswordHasher
  let ada: Person

  beforeEach(async () => {
    passwords = new PlainPasswordHasher()
    world = await openWorld(storage, { passwords })
    ada = await world.newPerson('Ada')
  })
  afterEach(() => world.close())

  const signIn = (input: object = {}, address?: string) =>
    world.engine.public.accounts.signIn(
      { email: ada.email, password: testPassword, ...input },
      { origin: { ...(address !== undefined && { address }) } },
    )

  /** The code of each of as many sign-ins made at once. */
  const signInAtOnce = async (
    count: number,
    input: (index: number) => object,
    address?: string,
  ) => {
    const results = await Promise.allSettled(
      Array.from({ length: count }, (_, index) => signIn(input(index), address)),
    )
    return results.map((result) =>
      result.status === 'rejected' ? result.reason.code : 'signed in',
    )
  }

  const countOf = (codes: readonly string[], code: string) =>
    codes.filter((each) => each === code).length

  test('[ACCOUNT-12] refuses a wrong password and an unknown account alike', async () => {
    passwords.comparisons.length = 0
    const refusals = []
    for (const email of [ada.email, 'nobody@example.com']) {
      refusals.push(
        await signIn({ email, password: wrong }).catch((error) => ({
          ...error,
          message: error.message,
        })),
      )
    }
    expect(refusals[0]).toMatchObject({ code: 'invalid_credentials' })
    expect(refusals[1]).toEqual(refusals[0])
    expect(passwords.comparisons).toEqual([
      { hash: `plain:${testPassword}`, password: wrong },
      { hash: undefined, password: wrong },
    ])
  })

  test('[ACCOUNT-12] counts guesses at an unknown account as those at a known one', async () => {
    for (const email of [ada.email, 'nobody@example.com']) {
      const codes = await signInAtOnce(7, () => ({ email, password: wrong }))
      expect(countOf(codes, 'too_many_requests')).toBe(2)
    }
  })

  test('[ACCOUNT-12] refuses what can be no password without counting it', async () => {
    for (let round = 0; round < 6; round++) {
      for (const password of ['', 'a'.repeat(129)]) {
        await expect(signIn({ password })).rejects.toMatchObject({ code: 'validation_error' })
      }
    }
    await signIn()
  })

  test('[ACCOUNT-12] refuses a password that is too short to be one as any wrong password', async () => {
    await expect(signIn({ password: 'short' })).rejects.toMatchObject({
      code: 'invalid_credentials',
      message: 'The e-mail address or the password is wrong',
    })
  })

  test('[ACCOUNT-11] opens a session of its own, in any case of the address', async () => {
    const { accessToken, ...user } = await signIn({ email: 'ADA@Example.com' })
    expect(user).toMatchObject({ id: ada.userId, email: ada.email, isAdmin: true })
    const actor = await world.engine.authenticate(accessToken)
    expect(actor).toMatchObject({ kind: 'user', userId: ada.userId })
    expect(actor).not.toEqual(await world.engine.authenticate(ada.accessToken))
  })

  test('[ACCOUNT-13] locks an account after five failures, for the right password too', async () => {
    for (let round = 0; round < 5; round++) {
      await expect(signIn({ password: wrong })).rejects.toMatchObject({
        code: 'invalid_credentials',
      })
      world.clock.advance(minuteMs)
    }
    await expect(signIn({ email: 'Ada@example.com' })).rejects.toMatchObject({
      code: 'too_many_requests',
      data: { retryAfterSeconds: 14 * 60 },
    })
    world.clock.advance(14 * minuteMs - 1)
    await expect(signIn()).rejects.toMatchObject({ data: { retryAfterSeconds: 1 } })
    world.clock.advance(1)
    await signIn()
  })

  test('[ACCOUNT-81] a lock that others bring about holds everywhere, and keeps out nobody who is in', async () => {
    const { token } = await ada.api.accessTokens.createToken({
      ...{ name: 'Of a program', scopes: ['space|read'], hasFullAccess: true },
      expiredTime: '2026-02-01',
    })
    const { accessToken } = await signIn({}, '192.0.2.2')
    await signInAtOnce(5, () => ({ password: wrong }), '192.0.2.1')
    await expect(signIn({}, '192.0.2.2')).rejects.toMatchObject({ code: 'too_many_requests' })
    for (const credential of [ada.accessToken, accessToken, token]) {
      const actor = await world.engine.authenticate(credential)
      expect(actor).toMatchObject({ userId: ada.userId })
    }
    expect(await ada.api.accounts.getMe({})).toMatchObject({ email: ada.email })
  })

  test('[ACCOUNT-13] forgets failures after 15 minutes', async () => {
    await signInAtOnce(4, () => ({ password: wrong }))
    world.clock.advance(15 * minuteMs)
    await signInAtOnce(4, () => ({ password: wrong }))
    await signIn()
  })

  test('[ACCOUNT-42] a lock that was set while the clock was ahead ends when it is right again', async () => {
    const year = 365 * 24 * 60 * minuteMs
    world.clock.advance(year)
    await signInAtOnce(6, () => ({ password: wrong }), '192.0.2.1')
    world.clock.advance(-year)
    await signIn({}, '192.0.2.1')
    // And counts as ever.
    await signInAtOnce(5, () => ({ password: wrong }))
    await expect(signIn()).rejects.toMatchObject({ code: 'too_many_requests' })
    // A clock that is a little behind opens nothing.
    world.clock.advance(-10 * minuteMs)
    await expect(signIn()).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test('[ACCOUNT-13] leaves the other accounts alone', async () => {
    const bob = await world.newPerson('Bob')
    await signInAtOnce(5, () => ({ password: wrong }))
    expect(await signIn({ email: bob.email })).toMatchObject({ id: bob.userId })
  })

  test('[ACCOUNT-14] locks an address after fifty failures, and no other', async () => {
    const codes = await signInAtOnce(
      60,
      (index) => ({ email: `user${index}@example.com` }),
      '192.0.2.1',
    )
    expect(countOf(codes, 'invalid_credentials')).toBe(50)
    await expect(signIn({}, '192.0.2.1')).rejects.toMatchObject({
      code: 'too_many_requests',
      data: { retryAfterSeconds: 15 * 60 },
    })
    await signIn({}, '192.0.2.2')
  })

  test('[ACCOUNT-14] takes a /64 network for one address', async () => {
    await signInAtOnce(50, (index) => ({ email: `user${index}@example.com` }), '2001:db8::1')
    await expect(signIn({}, '2001:DB8:0:0:9::1')).rejects.toMatchObject({
      code: 'too_many_requests',
    })
    await signIn({}, '2001:db8:0:1::1')
  })

  test('[ACCOUNT-15] looks at five of fifty guesses made at once', async () => {
    passwords.comparisons.length = 0
    const codes = await signInAtOnce(50, () => ({ password: wrong }))
    expect(countOf(codes, 'invalid_credentials')).toBe(5)
    expect(countOf(codes, 'too_many_requests')).toBe(45)
    expect(passwords.comparisons).toHaveLength(5)
  })

  test('[ACCOUNT-16] forgets the failures of an account when its password is right', async () => {
    for (let round = 0; round < 4; round++) {
      await signInAtOnce(4, () => ({ password: wrong }))
      await signIn()
    }
  })

  test('[ACCOUNT-16] counts no right password against its address', async () => {
    for (let round = 0; round < 60; round++) await signIn({}, '192.0.2.1')
    const codes = await signInAtOnce(
      50,
      (index) => ({ email: `user${index}@example.com` }),
      '192.0.2.1',
    )
    expect(countOf(codes, 'invalid_credentials')).toBe(50)
  })

  test('[ACCOUNT-16] keeps the other failures of the address', async () => {
    await signInAtOnce(49, (index) => ({ email: `user${index}@example.com` }), '192.0.2.1')
    await signIn({}, '192.0.2.1')
    const codes = await signInAtOnce(5, () => ({ email: 'more@example.com' }), '192.0.2.1')
    expect(countOf(codes, 'invalid_credentials')).toBe(1)
  })

  test('[ACCOUNT-17] counts a refused sign-in neither for the account nor for the address', async () => {
    await signInAtOnce(80, () => ({ password: wrong }), '192.0.2.1')
    const bob = await world.newPerson('Bob')
    await signIn({ email: bob.email }, '192.0.2.1')
    await signInAtOnce(45, (index) => ({ email: `user${index}@example.com` }), '192.0.2.1')
    await signInAtOnce(9, () => ({ email: bob.email, password: wrong }), '192.0.2.1')
    await signIn({ email: bob.email }, '192.0.2.2')
  })

  test('[ACCOUNT-17] takes a guess back that the service was too busy to check', async () => {
    const verify = passwords.verify.bind(passwords)
    passwords.verify = async () => {
      throw new DomainError('service_busy', 'Too many passwords wait', { retryAfterSeconds: 2 })
    }
    for (let index = 0; index < limits.signInFailuresPerAccount + 1; index++) {
      await expect(signIn({}, '192.0.2.1')).rejects.toMatchObject({ code: 'service_busy' })
    }
    passwords.verify = verify
    expect((await signIn({}, '192.0.2.1')).accessToken).toBeDefined()
  })

  test('[ACCOUNT-18] opens nothing for a password that is changed meanwhile', async () => {
    const { accounts } = ada.api
    passwords.afterComparison = () =>
      accounts.changePassword({ password: testPassword, newPassword: 'another horse 2' })
    await expect(signIn()).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await accounts.listSessions({})).toEqual([])
  })

  test('[ACCOUNT-19] ends the oldest session beyond a hundred', async () => {
    world.clock.advance(1)
    const second = await signIn()
    for (let count = 2; count < 100; count++) {
      world.clock.advance(1)
      await signIn()
    }
    expect(await world.engine.authenticate(ada.accessToken)).toBeDefined()
    world.clock.advance(1)
    await signIn()
    expect(await world.engine.authenticate(ada.accessToken)).toBeUndefined()
    expect(await world.engine.authenticate(second.accessToken)).toBeDefined()
    expect(await ada.api.accounts.listSessions({})).toHaveLength(100)
  })
})
