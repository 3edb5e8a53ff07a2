import { describeOnEveryStorage, type TestEngine } from '@gateleg/testing/test-engine'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anonymous } from '../../access/actor.ts'

const dayMs = 86_400_000

/** All operations, called by way of the credential. */
async function asBearer(engine: TestEngine, credential: string) {
  const actor = await engine.authenticate(credential)
  if (!actor) throw new Error('the credential is good')
  return engine.as(actor)
}

describeOnEveryStorage('sessions', (storage) => {
  let world: World
  let ada: Person

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
  })
  afterEach(() => world.close())

  const signIn = (userAgent: string) =>
    world.engine.public.accounts.signIn(
      { email: ada.email, password: testPassword },
      { origin: { address: '192.0.2.7', userAgent } },
    )

  test('[ACCOUNT-23] refuses to end sessions of others, and ones that are not there', async () => {
    const bob = await world.newPerson('Bob')
    const [session] = await ada.api.accounts.listSessions({})
    for (const sessionId of [session?.id ?? '', 'ses0000000000000000']) {
      await expect(bob.api.accounts.revokeSession({ sessionId })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    expect(await world.engine.authenticate(ada.accessToken)).toBeDefined()
  })

  test('[ACCOUNT-20] forgets a session after seven days', async () => {
    world.clock.advance(7 * dayMs - 1)
    expect(await world.engine.authenticate(ada.accessToken)).toBeDefined()
    world.clock.advance(1)
    expect(await world.engine.authenticate(ada.accessToken)).toBeUndefined()
    expect(await ada.api.accounts.listSessions({})).toEqual([])
  })

  test('[ACCOUNT-110] knows no session that a clock has opened which stood far ahead', async () => {
    const aheadMs = 365 * dayMs
    world.clock.advance(aheadMs)
    const { accessToken } = await signIn('from the future')
    expect(await world.engine.authenticate(accessToken)).toBeDefined()
    world.clock.advance(-aheadMs)
    expect(await world.engine.authenticate(accessToken)).toBeUndefined()
    world.clock.advance(aheadMs - 5 * 60_000 - 1)
    expect(await world.engine.authenticate(accessToken)).toBeUndefined()
    // The clocks of two servers are never quite the same.
    world.clock.advance(1)
    expect(await world.engine.authenticate(accessToken)).toBeDefined()
  })

  test('[ACCOUNT-21] signs out of one session at once', async () => {
    const { accessToken } = await signIn('browser')
    const { accounts } = await asBearer(world.engine, accessToken)
    await accounts.signOut({})
    expect(await world.engine.authenticate(accessToken)).toBeUndefined()
    expect(await world.engine.authenticate(ada.accessToken)).toBeDefined()
    await accounts.signOut({})
    await expect(world.engine.as(anonymous).accounts.signOut({})).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })

  test('[ACCOUNT-22] lists my sessions, newest first, and marks this one', async () => {
    await world.newPerson('Bob')
    world.clock.advance(1_000)
    const { accessToken } = await signIn('browser')
    world.clock.advance(1_000)
    await signIn('x'.repeat(5_000))
    const { accounts } = await asBearer(world.engine, accessToken)
    const sessions = await accounts.listSessions({})
    expect(sessions).toEqual([
      expect.objectContaining({ userAgent: 'x'.repeat(2_048), isCurrent: false }),
      {
        id: expect.stringMatching(/^ses/),
        createdTime: '2026-01-01T00:00:01.000Z',
        expiresTime: '2026-01-08T00:00:01.000Z',
        address: '192.0.2.7',
        userAgent: 'browser',
        isCurrent: true,
      },
      {
        id: expect.stringMatching(/^ses/),
        createdTime: '2026-01-01T00:00:00.000Z',
        expiresTime: '2026-01-08T00:00:00.000Z',
        isCurrent: false,
      },
    ])
  })

  test('[ACCOUNT-23] ends a session at once', async () => {
    const { accessToken } = await signIn('phone')
    const sessions = await ada.api.accounts.listSessions({})
    const phone = sessions.find(({ userAgent }) => userAgent === 'phone')
    await ada.api.accounts.revokeSession({ sessionId: phone?.id ?? '' })
    expect(await world.engine.authenticate(accessToken)).toBeUndefined()
    expect(await world.engine.authenticate(ada.accessToken)).toBeDefined()
  })
})
