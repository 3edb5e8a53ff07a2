import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, testPassword, type World } from '@gateleg/testing/worlds/world'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { IdKind } from '../../ids/id-prefixes.ts'
import { initialsAvatar } from '../users/initials-avatar.ts'

const password = testPassword

/** Ids that run out for one kind. */
class FailingIds extends CountingIds {
  failing: IdKind | undefined

  constructor(failing: IdKind) {
    super()
    this.failing = failing
  }

  override next(kind: IdKind): string {
    if (kind === this.failing) throw new Error(`no ${kind} today`)
    return super.next(kind)
  }
}

describeOnEveryStorage('sign-up', (storage) => {
  let world: World

  beforeEach(async () => {
    world = await openWorld(storage)
  })
  afterEach(() => world.close())

  const signUp = (input: object, options?: { idempotencyKey: string }) =>
    world.engine.public.accounts.signUp({ email: 'ada@example.com', password, ...input }, options)

  test('[ACCOUNT-7] refuses what is no address', async () => {
    const tooLong = `${'a'.repeat(250)}@example.com`
    for (const email of [
      '',
      'ada',
      '@example.com',
      'ada@',
      'a b@example.com',
      ' ada@example.com',
      tooLong,
      'a'.repeat(8_000_000),
      `${'a'.repeat(8_000_000)}@example.com`,
    ]) {
      await expect(signUp({ email })).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: [{ path: ['email'] }] },
      })
    }
  })

  test('[ACCOUNT-7] refuses look-alikes of an address, at sign-up and at sign-in', async () => {
    await signUp({ email: 'kasimir@example.com' })
    // A Kelvin sign and a long s turn into k and s when their case is changed.
    for (const email of [
      '\u212aasimir@example.com',
      'ka\u017fimir@example.com',
      'kаsimir@example.com',
      'kasimir@exаmple.com',
      'kasimir@example.com\u0000',
      'kasimir\u200b@example.com',
    ]) {
      await expect(signUp({ email })).rejects.toMatchObject({ code: 'validation_error' })
      await expect(world.engine.public.accounts.signIn({ email, password })).rejects.toMatchObject({
        code: 'validation_error',
      })
    }
  })

  test('[ACCOUNT-7] an address with letters beyond ASCII is never taken for another', async () => {
    await signUp({})
    await fc.assert(
      fc.asyncProperty(
        fc.nat('ada@example.com'.length - 1),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((c) => c > '\u007f'),
        async (index, letter) => {
          const email = [...'ada@example.com'].with(index, letter).join('')
          await expect(
            world.engine.public.accounts.signIn({ email, password }),
          ).rejects.toMatchObject({ code: 'validation_error' })
        },
      ),
    )
  })

  test('[ACCOUNT-8] refuses weak, endless and many-lined passwords, takes others', async () => {
    for (const weak of [
      'abcdef1',
      '12345678',
      'abcdefgh',
      `${'a'.repeat(128)}1`,
      'abcd\nefg1',
      'abc1\ndefgh',
      '',
    ]) {
      await expect(signUp({ password: weak })).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: expect.arrayContaining([expect.objectContaining({ path: ['password'] })]) },
      })
    }
    for (const [index, good] of [
      'abcdefg1',
      `${'a'.repeat(127)}1`,
      'ABCDEFG1',
      'pass wörd 1',
    ].entries()) {
      await signUp({ email: `user${index}@example.com`, password: good })
    }
  })

  test('[ACCOUNT-4] refuses a blank space name and one that is too long', async () => {
    for (const defaultSpaceName of ['', '  ', 'x'.repeat(101)]) {
      await expect(signUp({ defaultSpaceName })).rejects.toMatchObject({
        data: { issues: [{ path: ['defaultSpaceName'] }] },
      })
    }
  })

  test('[ACCOUNT-6] refuses a registered address in any case', async () => {
    await signUp({})
    for (const email of ['ada@example.com', 'ADA@example.com', 'Ada@Example.COM']) {
      await expect(signUp({ email })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('is already registered'),
      })
    }
  })

  test('[ACCOUNT-3] a refused sign-up leaves nothing behind', async () => {
    const heard: string[] = []
    await signUp({})
    world.engine.subscribe(({ name }) => heard.push(name))
    await expect(signUp({ email: 'ADA@example.com' })).rejects.toThrow('registered')
    expect(heard).toEqual([])
  })

  test('[ACCOUNT-1] [ACCOUNT-2] answers the user, and a token that stands for them', async () => {
    const { accessToken, ...user } = await signUp({ email: 'Ada.L@Example.com' })
    expect(user).toEqual({
      id: expect.stringMatching(/^usr[0-9A-Za-z]{16}$/),
      name: 'ada.l',
      email: 'ada.l@example.com',
      notifyMeta: { email: true },
      hasPassword: true,
      isAdmin: true,
      avatar: initialsAvatar(user),
      version: 1,
    })
    expect(await world.engine.authenticate(accessToken)).toEqual({
      kind: 'user',
      userId: user.id,
      sessionId: expect.stringMatching(/^ses/),
    })
    expect(await world.engine.authenticate(`${accessToken}x`)).toBeUndefined()
  })

  test('[ACCOUNT-3] [ACCOUNT-4] makes one space, named as asked or after the user', async () => {
    const heard: string[] = []
    world.engine.subscribe(({ name }) => heard.push(name))
    const ada = await signUp({ defaultSpaceName: '  Lab ' })
    const bob = await signUp({ email: 'bob@example.com' })
    const spaces = await world.engine.as({ userId: ada.id }).spaces.listSpaces({})
    expect(spaces).toMatchObject([{ name: 'Lab', role: 'owner' }])
    expect(await world.engine.as({ userId: bob.id }).spaces.listSpaces({})).toMatchObject([
      { name: "bob's space", role: 'owner' },
    ])
    expect(heard).toEqual(['space.created', 'user.signed_up', 'space.created', 'user.signed_up'])
  })

  test('[ACCOUNT-2] [ACCOUNT-4] cuts the names made of a long address', async () => {
    const { id, name } = await signUp({ email: `${'a'.repeat(150)}@example.com` })
    expect(name).toBe('a'.repeat(100))
    expect(await world.engine.as({ userId: id }).spaces.listSpaces({})).toMatchObject([
      { name: `${'a'.repeat(92)}'s space` },
    ])
  })

  test('[ACCOUNT-5] makes one administrator of ten who sign up at once', async () => {
    const users = await Promise.all(
      Array.from({ length: 10 }, (_, index) => signUp({ email: `user${index}@example.com` })),
    )
    expect(users.filter(({ isAdmin }) => isAdmin)).toHaveLength(1)
    expect((await signUp({ email: 'late@example.com' })).isAdmin).toBe(false)
  })

  test('[ACCOUNT-3] [ACCOUNT-5] a sign-up that fails half-way leaves nothing behind', async () => {
    const ids = new FailingIds('session')
    const other = await openWorld(storage, { ids })
    const { accounts } = other.engine.public
    const heard: string[] = []
    other.engine.subscribe(({ name }) => heard.push(name))
    const input = { email: 'ada@example.com', password }
    await expect(accounts.signUp(input)).rejects.toThrow('no session today')
    expect(heard).toEqual([])
    ids.failing = undefined
    expect(await accounts.signUp(input)).toMatchObject({ isAdmin: true })
    await other.close()
  })

  test('[ACCOUNT-6] gives an address to one of twenty who sign up with it at once', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        signUp({ email: index % 2 ? 'ada@example.com' : 'ADA@example.com' }),
      ),
    )
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason] : [],
    )
    expect(failures).toHaveLength(19)
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['conflict']))
  })

  test('[ACCOUNT-9] takes no rights and no id from the body', async () => {
    await signUp({ email: 'first@example.com' })
    const sent = JSON.parse('{"isAdmin": true, "id": "usr1", "__proto__": {"isAdmin": true}}')
    const user = await signUp({ ...sent, version: 7, hasPassword: false })
    expect(user).toMatchObject({ isAdmin: false, hasPassword: true, version: 1 })
    expect(user.id).not.toBe('usr1')
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  test('[ACCOUNT-9] takes where the user came from, within bounds', async () => {
    await signUp({ refMeta: { query: 'utm=1', referer: 'https://example.com' } })
    await expect(
      signUp({ email: 'bob@example.com', refMeta: { query: 'x'.repeat(2_049) } }),
    ).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('[ACCOUNT-10] is refused under a key that was used, whatever the password', async () => {
    await signUp({}, { idempotencyKey: 'k1' })
    const refusals = [
      await signUp({}, { idempotencyKey: 'k1' }).catch((error) => error),
      await signUp({ password: 'another horse 2' }, { idempotencyKey: 'k1' }).catch((e) => e),
    ]
    expect(refusals).toMatchObject([{ code: 'conflict' }, { code: 'conflict' }])
    expect(refusals[0].message).toBe(refusals[1].message)
    await expect(signUp({}, { idempotencyKey: 'k2' })).rejects.toMatchObject({ code: 'conflict' })
    world.clock.advance(24 * 3_600_000)
    await expect(signUp({}, { idempotencyKey: 'k1' })).rejects.toMatchObject({ code: 'conflict' })
  })
})
