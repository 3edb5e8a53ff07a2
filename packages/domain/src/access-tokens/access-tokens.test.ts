import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { apiBy } from '@gateleg/testing/worlds/token-bearer'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anonymous } from '../access/actor.ts'
import { type Action, actions } from '../access/roles.ts'
import { limits } from '../limits.ts'

const minuteMs = 60_000
const expiredTime = '2026-02-01'

describeOnEveryStorage('access tokens', (storage) => {
  let world: World
  let ada: Person
  let bob: Person

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
  })
  afterEach(() => world.close())

  const create = (input: object = {}, person = ada) =>
    person.api.accessTokens.createToken({
      name: 'Robot',
      scopes: ['space|read'],
      hasFullAccess: true,
      expiredTime,
      ...input,
    })

  const authenticate = (text: string) => world.engine.authenticate(text)

  const asBearer = (text: string) => apiBy(world.engine, text)

  const spaceIdsSeenBy = async (text: string) => {
    const { spaces } = await asBearer(text)
    return (await spaces.listSpaces({})).map(({ id }) => id)
  }

  test('[TOKEN-2] refuses access tokens and strangers', async () => {
    const { id, token } = await create({ scopes: [...actions] })
    const everyOperation = (api: Person['api']) => {
      const { accessTokens } = api
      return [
        () => accessTokens.createToken({ name: 'x', scopes: ['space|read'], expiredTime }),
        () => accessTokens.listTokens({}),
        () => accessTokens.getToken({ id }),
        () => accessTokens.updateToken({ id, name: 'x', scopes: ['space|read'] }),
        () => accessTokens.refreshToken({ id, expiredTime }),
        () => accessTokens.deleteToken({ id }),
      ]
    }
    for (const call of everyOperation(await asBearer(token))) {
      await expect(call()).rejects.toMatchObject({ code: 'restricted_resource' })
    }
    for (const call of everyOperation(world.engine.as(anonymous))) {
      await expect(call()).rejects.toMatchObject({ code: 'unauthorized' })
    }
    const [, , ...ofOne] = everyOperation(bob.api)
    for (const call of ofOne) await expect(call()).rejects.toMatchObject({ code: 'not_found' })
    expect(await authenticate(token)).toBeDefined()
  })

  test('[TOKEN-3] refuses what is no action, and no scope at all', async () => {
    for (const scopes of [[], ['space|fly'], ['constructor']]) {
      await expect(create({ scopes: scopes as Action[] })).rejects.toMatchObject({
        code: 'validation_error',
      })
    }
    expect((await create({ scopes: ['base|read', 'space|read', 'base|read'] })).scopes).toEqual([
      'base|read',
      'space|read',
    ])
  })

  test('[TOKEN-4] refuses places in which the user has no role', async () => {
    const gone = (await ada.api.spaces.createSpace({ name: 'Gone' })).id
    await ada.api.spaces.deleteSpace({ spaceId: gone })
    const spaceIds = [ada.spaceId, bob.spaceId, 'spc0000000000000000', gone]
    const refusal = {
      code: 'validation_error',
      data: {
        issues: [
          { path: ['spaceIds', 1] },
          { path: ['spaceIds', 2] },
          { path: ['spaceIds', 3] },
          { path: ['baseIds', 0] },
        ],
      },
    }
    const baseIds = ['bse0000000000000000']
    await expect(create({ spaceIds, baseIds })).rejects.toMatchObject(refusal)
    const { id } = await create()
    await expect(
      ada.api.accessTokens.updateToken({
        id,
        name: 'x',
        scopes: ['space|read'],
        spaceIds,
        baseIds,
      }),
    ).rejects.toMatchObject(refusal)
    await expect(
      create({ spaceIds: Array.from({ length: 101 }, () => ada.spaceId) }),
    ).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('[TOKEN-5] refuses an end that is no time, or not in the future', async () => {
    const { id } = await create()
    for (const wrong of [
      '',
      'soon',
      '2026-02-30',
      '2026-13-01',
      '2026-01-01',
      '2025-12-31T23:59:59Z',
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T01:00:00+01:00',
      '+012026-01-01',
      `2026-02-01T00:00:00.${'0'.repeat(limits.momentLength - 20)}Z`,
    ]) {
      const refusal = { data: { issues: [{ path: ['expiredTime'] }] } }
      await expect(create({ expiredTime: wrong })).rejects.toMatchObject(refusal)
      await expect(
        ada.api.accessTokens.refreshToken({ id, expiredTime: wrong }),
      ).rejects.toMatchObject(refusal)
    }
  })

  test('[TOKEN-5] takes a day and a moment, and answers the moment in UTC', async () => {
    for (const [sent, answered] of [
      ['2026-02-01', '2026-02-01T00:00:00.000Z'],
      ['2026-02-01T02:00:00+02:00', '2026-02-01T00:00:00.000Z'],
      ['2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.001Z'],
      [`2026-02-01T00:00:00.${'0'.repeat(limits.momentLength - 21)}Z`, '2026-02-01T00:00:00.000Z'],
    ]) {
      expect(await create({ expiredTime: sent })).toMatchObject({ expiredTime: answered })
    }
  })

  test('[TOKEN-6] makes no more than a hundred, however many at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 103 }, () => create()))
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason] : [],
    )
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill('restricted_resource'))
    await create({}, bob)
  })

  test('[TOKEN-1] [TOKEN-7] shows the text once', async () => {
    world.clock.advance(1)
    const spaceIds = [ada.spaceId]
    const { token, version, ...view } = await create({ description: 'Nightly', spaceIds })
    expect(view).toEqual({
      id: expect.stringMatching(/^acc[0-9A-Za-z]{16}$/),
      name: 'Robot',
      description: 'Nightly',
      scopes: ['space|read'],
      spaceIds,
      hasFullAccess: true,
      expiredTime: '2026-02-01T00:00:00.000Z',
      createdTime: '2026-01-01T00:00:00.001Z',
    })
    expect(version).toBe(1)
    expect(token).toMatch(new RegExp(`^gateleg_${view.id}_[0-9A-Za-z]{40,}$`))
    expect(await ada.api.accessTokens.getToken({ id: view.id })).toEqual({ ...view, version })
    expect(await ada.api.accessTokens.listTokens({})).toEqual([view])
  })

  test('[TOKEN-7] lists my tokens, expired ones too, oldest first', async () => {
    await create({}, bob)
    const ids: string[] = []
    for (const day of ['2026-01-02', '2026-01-03', '2026-01-04']) {
      world.clock.advance(1)
      ids.push((await create({ expiredTime: day })).id)
    }
    world.clock.advance(3 * 24 * 60 * minuteMs)
    expect((await ada.api.accessTokens.listTokens({})).map(({ id }) => id)).toEqual(ids)
  })

  test('[TOKEN-7] leaves out what nobody set, and places that are deleted', async () => {
    const { id: spaceId } = await ada.api.spaces.createSpace({ name: 'Gone' })
    const { id: goneBaseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const { id: innerBaseId } = await ada.api.bases.createBase({ spaceId })
    const spaceIds = [spaceId, ada.spaceId]
    const baseIds = [goneBaseId, innerBaseId, baseId]
    const { token, ...plain } = await create({ hasFullAccess: undefined })
    expect(Object.keys(plain).toSorted()).toEqual([
      ...['createdTime', 'expiredTime', 'id', 'name', 'scopes', 'version'],
    ])
    const { id } = await create({ spaceIds, baseIds, hasFullAccess: undefined })
    const reach = async () => {
      const listed = (await ada.api.accessTokens.listTokens({})).find((one) => one.id === id)
      const read = await ada.api.accessTokens.getToken({ id })
      expect(read).toMatchObject(listed ?? {})
      return { spaceIds: read.spaceIds, baseIds: read.baseIds }
    }
    expect(await reach()).toEqual({ spaceIds, baseIds })
    await ada.api.bases.deleteBase({ baseId: goneBaseId })
    await ada.api.spaces.deleteSpace({ spaceId })
    expect(await reach()).toEqual({ spaceIds: [ada.spaceId], baseIds: [baseId] })
  })

  test('[TOKEN-8] acts as the user, within scopes', async () => {
    const { token } = await create()
    const { spaces } = await asBearer(token)
    const spaceId = ada.spaceId
    expect(await spaces.getSpace({ spaceId })).toMatchObject({ id: spaceId, role: 'owner' })
    await expect(spaces.renameSpace({ spaceId, name: 'x' })).rejects.toMatchObject({
      code: 'restricted_resource',
    })
    await expect(spaces.getSpace({ spaceId: bob.spaceId })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('[TOKEN-8] acts within reach, and in no place where none is named', async () => {
    const { id: second } = await ada.api.spaces.createSpace({ name: 'Second' })
    const hasFullAccess = false
    const all = [ada.spaceId, second].sort()
    expect((await spaceIdsSeenBy((await create()).token)).sort()).toEqual(all)
    expect((await spaceIdsSeenBy((await create({ spaceIds: [second] })).token)).sort()).toEqual(all)
    const reaching = await create({ spaceIds: [second, second], hasFullAccess })
    expect(reaching.spaceIds).toEqual([second])
    expect(await spaceIdsSeenBy(reaching.token)).toEqual([second])
    for (const input of [
      { hasFullAccess },
      { hasFullAccess: undefined },
      { hasFullAccess: null, spaceIds: null, baseIds: [] },
    ]) {
      expect(await spaceIdsSeenBy((await create(input)).token)).toEqual([])
    }
    const { spaces } = await asBearer(reaching.token)
    await expect(spaces.getSpace({ spaceId: ada.spaceId })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('[TOKEN-8] makes spaces only where it reaches everything', async () => {
    const scopes: Action[] = ['space|create']
    for (const reach of [{ spaceIds: [ada.spaceId] }, {}]) {
      const { token } = await create({ scopes, hasFullAccess: false, ...reach })
      const { spaces } = await asBearer(token)
      await expect(spaces.createSpace({})).rejects.toMatchObject({ code: 'restricted_resource' })
    }
    const { token } = await create({ scopes, hasFullAccess: true })
    const { spaces } = await asBearer(token)
    expect(await spaces.createSpace({ name: 'Made' })).toMatchObject({ name: 'Made' })
  })

  test('[TOKEN-4] [TOKEN-8] reaches bases by a role in them or in their space', async () => {
    const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const { id: other } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    await ada.api.collaborators.addBaseCollaborators({
      baseId,
      role: 'editor',
      collaborators: [{ principalId: bob.userId, principalType: 'user' }],
    })
    const input = { baseIds: [baseId], scopes: ['base|read'] as Action[], hasFullAccess: false }
    for (const person of [ada, bob]) {
      const { bases } = await asBearer((await create(input, person)).token)
      expect(await bases.getBase({ baseId })).toMatchObject({ id: baseId })
      await expect(bases.getBase({ baseId: other })).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(create({ baseIds: [other] }, bob)).rejects.toMatchObject({
      data: { issues: [{ path: ['baseIds', 0] }] },
    })
    await ada.api.bases.deleteBase({ baseId })
    await expect(create(input, bob)).rejects.toMatchObject({ code: 'validation_error' })
    await ada.api.spaces.deleteSpace({ spaceId: ada.spaceId })
    await expect(create({ baseIds: [other] })).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('[TOKEN-9] replaces the settings at once, keeps secret and end', async () => {
    const { id, token } = await create({ description: 'Nightly', spaceIds: [ada.spaceId] })
    const scopes: Action[] = ['base|read']
    expect(await ada.api.accessTokens.updateToken({ id, name: 'Reader', scopes })).toEqual({
      id,
      name: 'Reader',
      scopes,
      version: 2,
    })
    expect(await ada.api.accessTokens.getToken({ id })).toMatchObject({
      expiredTime: '2026-02-01T00:00:00.000Z',
    })
    const { spaces } = await asBearer(token)
    await expect(spaces.listSpaces({})).rejects.toMatchObject({ code: 'restricted_resource' })
  })

  test('[TOKEN-10] gives a new text and forgets the old one', async () => {
    const { id, token: old } = await create()
    const refreshed = await ada.api.accessTokens.refreshToken({ id, expiredTime: '2026-03-01' })
    expect(refreshed).toEqual({
      id,
      expiredTime: '2026-03-01T00:00:00.000Z',
      token: expect.stringMatching(new RegExp(`^gateleg_${id}_`)),
      version: 2,
    })
    expect(await authenticate(old)).toBeUndefined()
    expect(await authenticate(refreshed.token)).toMatchObject({ kind: 'token', tokenId: id })
  })

  test('[TOKEN-11] is good for nothing once it is deleted', async () => {
    const { id, token } = await create()
    await ada.api.accessTokens.deleteToken({ id })
    expect(await authenticate(token)).toBeUndefined()
    expect(await ada.api.accessTokens.listTokens({})).toEqual([])
    await expect(ada.api.accessTokens.deleteToken({ id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('[TOKEN-12] is good for nothing from its end on, until it is refreshed', async () => {
    const { id, token } = await create({ expiredTime: '2026-01-01T00:01:00Z' })
    world.clock.advance(minuteMs - 1)
    expect(await authenticate(token)).toBeDefined()
    world.clock.advance(1)
    expect(await authenticate(token)).toBeUndefined()
    const refreshed = await ada.api.accessTokens.refreshToken({ id, expiredTime })
    expect(await authenticate(refreshed.token)).toBeDefined()
  })

  test('[TOKEN-13] takes nothing but the whole text', async () => {
    const first = await create()
    const second = await create({}, bob)
    const secret = first.token.slice(`gateleg_${first.id}_`.length)
    for (const wrong of [
      '',
      secret,
      first.id,
      `gateleg_${first.id}_`,
      `gateleg_${second.id}_${secret}`,
      `gateleg_acc0000000000000000_${secret}`,
      `Gateleg_${first.id}_${secret}`,
      `gateleg_${first.id}_${secret.toUpperCase()}x`,
      `${first.token} `,
      first.token.slice(0, -1),
      `gateleg_${first.id}_${ada.accessToken}`,
    ]) {
      expect(await authenticate(wrong)).toBeUndefined()
    }
  })

  test('[TOKEN-14] notes its last use, once a minute', async () => {
    const { id, token } = await create()
    const lastUsedTime = async () => (await ada.api.accessTokens.getToken({ id })).lastUsedTime
    expect(await lastUsedTime()).toBeUndefined()
    await authenticate(`${token}x`)
    expect(await lastUsedTime()).toBeUndefined()
    await authenticate(token)
    // Nobody waits for the note.
    await expect.poll(lastUsedTime).toBe('2026-01-01T00:00:00.000Z')
    world.clock.advance(minuteMs - 1)
    await authenticate(token)
    expect(await lastUsedTime()).toBe('2026-01-01T00:00:00.000Z')
    world.clock.advance(1)
    await Promise.all([authenticate(token), authenticate(token)])
    await expect.poll(lastUsedTime).toBe('2026-01-01T00:01:00.000Z')
    expect(await ada.api.accessTokens.getToken({ id })).toMatchObject({ version: 1 })
  })

  test('[TOKEN-15] counts versions, and refuses a change of another', async () => {
    const { id, version } = await create()
    const { updateToken, refreshToken, deleteToken } = ada.api.accessTokens
    const settings = { id, name: 'Reader', scopes: ['space|read'] as Action[] }
    const updated = await updateToken(settings, { ifMatch: [version] })
    const stale = { ifMatch: [version] }
    for (const call of [
      () => updateToken(settings, stale),
      () => refreshToken({ id, expiredTime }, stale),
      () => deleteToken({ id }, stale),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'precondition_failed' })
    }
    const refreshed = await refreshToken({ id, expiredTime }, { ifMatch: [updated.version] })
    await deleteToken({ id }, { ifMatch: [refreshed.version] })
  })
})
