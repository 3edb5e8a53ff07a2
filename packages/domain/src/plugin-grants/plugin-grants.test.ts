import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { apiBy } from '@gateleg/testing/worlds/token-bearer'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Action, actions } from '../access/roles.ts'
import { later, toTimestamp } from '../clock.ts'
import type { DomainEvent } from '../events/event.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const wrong = { code: 'invalid_credentials' }

describeOnEveryStorage('plugin tokens', (storage) => {
  let world: World
  let admin: Person
  let ada: Person
  let bob: Person
  let baseId: string
  let pluginId: string
  let secret: string

  beforeEach(async () => {
    world = await openWorld(storage)
    admin = await world.newPerson('Root')
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
    baseId = (await ada.api.bases.createBase({ spaceId: ada.spaceId, name: 'Mine' })).id
    ;({ id: pluginId, secret } = await ada.api.plugins.createPlugin({
      ...{ name: 'Slips', logo: 'https://slips.example.com/l.png', positions: ['panel'] },
    }))
  })
  afterEach(() => world.close())

  const open = () => world.engine.public.pluginGrants
  const newCode = async ({ api }: Person = ada, sent: object = {}) =>
    (await api.pluginGrants.createPluginCode({ pluginId, baseId, ...sent })).code
  const trade = (authCode: string, sent: object = {}) =>
    open().createPluginToken({
      pluginId,
      baseId,
      secret,
      scopes: ['table|read'],
      authCode,
      ...sent,
    })
  const refresh = (refreshToken: string, sent: object = {}) =>
    open().refreshPluginToken({ pluginId, secret, refreshToken, ...sent })
  const authenticate = (text: string) => world.engine.authenticate(text)
  const bearer = (text: string) => apiBy(world.engine, text)
  const publish = async () => {
    await ada.api.plugins.submitPlugin({ pluginId })
    await admin.api.plugins.publishPlugin({ pluginId })
  }

  test('[GRANT-1] codes are for who may use the plugin and has a role in the base, by session', async () => {
    const notFound = { code: 'not_found' }
    await expect(newCode(bob)).rejects.toMatchObject(notFound)
    await publish()
    await expect(newCode(bob)).rejects.toMatchObject(notFound)
    for (const sent of [{ baseId: 'bseNone' }, { pluginId: 'plgNone' }]) {
      await expect(newCode(ada, sent)).rejects.toMatchObject(notFound)
    }
    await expect(newCode(ada, { pluginId: 'plgchart' })).rejects.toMatchObject({
      ...{ code: 'restricted_resource', message: expect.stringContaining('ships with') },
    })
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'viewer' })
    expect(await newCode(bob)).toMatch(/^gateleg_pgr/)
    const { token } = await ada.api.accessTokens.createToken({
      ...{ name: 'x', scopes: [...actions], hasFullAccess: true, expiredTime: '2999-01-01' },
    })
    const { accessToken } = await trade(await newCode(), { scopes: [...actions] })
    for (const text of [token, accessToken]) {
      const api = await bearer(text)
      const refusal = { code: 'restricted_resource' }
      await expect(newCode({ ...ada, api })).rejects.toMatchObject(refusal)
    }
  })

  test('[GRANT-2][GRANT-3][GRANT-7] codes and refresh tokens are traded once', async () => {
    const code = await newCode()
    const first = await trade(code, { scopes: ['table|read', 'record|read', 'table|read'] })
    expect(first).toEqual({
      accessToken: expect.stringMatching(/^gateleg_pgr/),
      refreshToken: expect.stringMatching(/^gateleg_pgr/),
      scopes: ['table|read', 'record|read'],
      ...{ expiresIn: 3_600, refreshExpiresIn: 2_592_000 },
    })
    const second = await refresh(first.refreshToken)
    expect(second.scopes).toEqual(first.scopes)
    expect(await authenticate(first.accessToken)).toBeUndefined()
    expect(await authenticate(second.accessToken)).toBeDefined()
    await expect(trade(await newCode(), { scopes: [] })).rejects.toMatchObject({
      code: 'validation_error',
    })
  })

  test('[GRANT-2][GRANT-3][GRANT-13] what was good once and comes again ends the grant', async () => {
    const code = await newCode()
    const other = await trade(await newCode())
    const first = await trade(code)
    const second = await refresh(first.refreshToken)
    // Who has no secret ends nothing.
    await expect(refresh(first.refreshToken, { secret: 'wrong' })).rejects.toMatchObject(wrong)
    expect(await authenticate(second.accessToken)).toBeDefined()
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(wrong)
    expect(await authenticate(second.accessToken)).toBeUndefined()
    await expect(refresh(second.refreshToken)).rejects.toMatchObject(wrong)
    const again = await newCode()
    const { accessToken } = await trade(again)
    await expect(trade(again)).rejects.toMatchObject(wrong)
    expect(await authenticate(accessToken)).toBeUndefined()
    expect(await ada.api.pluginGrants.listPluginGrants({})).toHaveLength(1)
    expect(await authenticate(other.accessToken)).toBeDefined()
  })

  test('[GRANT-4] whatever is wrong is answered alike, and ends nothing', async () => {
    const other = await ada.api.plugins.createPlugin({
      ...{ name: 'Other', logo: 'https://slips.example.com/l.png', positions: ['panel'] },
    })
    const code = await newCode()
    const { id: otherBaseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const refused = [
      () => trade(`${code}x`),
      () => trade(code.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
      () => trade(code.replace(/_[^_]*_[^_]*$/, '_0')),
      () => trade('gateleg_pgrNone'),
      () => trade(secret),
      () => trade(code, { secret: other.secret }),
      () => trade(code, { pluginId: other.id }),
      () => trade(code, { pluginId: other.id, secret: other.secret }),
      () => trade(code, { baseId: otherBaseId }),
      () => refresh(code),
    ]
    const told = new Set<string>()
    for (const call of refused) {
      const { code: errorCode, message } = await call().catch((error) => error)
      told.add(`${errorCode}: ${message}`)
    }
    expect([...told]).toEqual([expect.stringMatching(/^invalid_credentials: /)])
    const { accessToken, refreshToken } = await trade(code)
    for (const call of [() => trade(refreshToken), () => refresh(accessToken)]) {
      await expect(call()).rejects.toMatchObject(wrong)
    }
    expect([await authenticate(code), await authenticate(refreshToken)]).toEqual([
      undefined,
      undefined,
    ])
    await refresh(refreshToken)
    const late = await newCode()
    world.clock.advance(5 * minuteMs)
    await expect(trade(late)).rejects.toMatchObject(wrong)
  })

  test('[GRANT-5] guesses from one address are counted', async () => {
    await withLimits({ signInFailuresPerAddress: 3 }, async () => {
      const code = await newCode()
      const from = { origin: { address: '203.0.113.7' } }
      const guess = (sent: object) =>
        open().createPluginToken(
          { pluginId, baseId, secret, scopes: ['table|read'], authCode: code, ...sent },
          from,
        )
      await guess({})
      for (let turn = 0; turn < 3; turn++) {
        await expect(guess({ secret: 'wrong' })).rejects.toMatchObject(wrong)
      }
      const refusal = { code: 'too_many_requests' }
      await expect(guess({ secret: 'wrong' })).rejects.toMatchObject(refusal)
      await expect(guess({ authCode: await newCode() })).rejects.toMatchObject(refusal)
      await trade(await newCode())
    })
  })

  test('[GRANT-6] the token acts as the user, in that base alone, within its scopes and the role', async () => {
    const { id: elsewhere } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const scopes: Action[] = [
      ...(['base|read', 'table|read', 'table|create', 'record|read', 'space|create'] as const),
    ]
    const { accessToken } = await trade(await newCode(), { scopes })
    const api = await bearer(accessToken)
    const refused = (code: string, call: Promise<unknown>) =>
      expect(call).rejects.toMatchObject({ code })
    const table = await api.tables.createTable({ baseId })
    expect(await ada.api.tables.listTables({ baseId })).toHaveLength(1)
    expect(await api.bases.getBase({ baseId })).toMatchObject({ id: baseId })
    await refused('not_found', api.bases.getBase({ baseId: elsewhere }))
    await refused('not_found', api.spaces.getSpace({ spaceId: ada.spaceId }))
    await refused('restricted_resource', api.tables.deleteTable({ baseId, tableId: table.id }))
    await refused('restricted_resource', api.accessTokens.listTokens({}))
    await refused('restricted_resource', api.spaces.createSpace({}))
    await publish()
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'viewer' })
    const ofBob = await bearer((await trade(await newCode(bob), { scopes })).accessToken)
    expect(await ofBob.tables.listTables({ baseId })).toHaveLength(1)
    await refused('restricted_resource', ofBob.tables.createTable({ baseId }))
  })

  test('[GRANT-7] tokens end in time', async () => {
    const { accessToken, refreshToken } = await trade(await newCode())
    world.clock.advance(60 * minuteMs - 1)
    expect(await authenticate(accessToken)).toBeDefined()
    world.clock.advance(1)
    expect(await authenticate(accessToken)).toBeUndefined()
    const second = await refresh(refreshToken)
    world.clock.advance(30 * dayMs)
    await expect(refresh(second.refreshToken)).rejects.toMatchObject(wrong)
  })

  test('[GRANT-8] tokens end with the secret, the publication and the plugin', async () => {
    await publish()
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'editor' })
    const ofBob = await trade(await newCode(bob))
    const ofAda = await trade(await newCode())
    await admin.api.plugins.withdrawPlugin({ pluginId })
    expect(await authenticate(ofBob.accessToken)).toBeUndefined()
    await expect(refresh(ofBob.refreshToken)).rejects.toMatchObject(wrong)
    // Who made the plugin may use it all the same.
    expect(await authenticate(ofAda.accessToken)).toBeDefined()
    const open = await newCode()
    const before = secret
    ;({ secret } = await ada.api.plugins.regeneratePluginSecret({ pluginId }))
    expect(await authenticate(ofAda.accessToken)).toBeUndefined()
    for (const tried of [before, secret]) {
      await expect(refresh(ofAda.refreshToken, { secret: tried })).rejects.toMatchObject(wrong)
      await expect(trade(open, { secret: tried })).rejects.toMatchObject(wrong)
    }
    const last = await trade(await newCode())
    await ada.api.plugins.deletePlugin({ pluginId })
    expect(await authenticate(last.accessToken)).toBeUndefined()
    await expect(refresh(last.refreshToken)).rejects.toMatchObject(wrong)
  })

  test('[GRANT-8] what has ended with a publication stays so when the plugin is published again', async () => {
    await publish()
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'editor' })
    const ofAda = await trade(await newCode())
    const moved = { name: 'Slips', positions: ['panel' as const], url: 'https://b.example.com' }
    const ends = [
      () => ada.api.plugins.unpublishPlugin({ pluginId }),
      () => admin.api.plugins.withdrawPlugin({ pluginId }),
      () => ada.api.plugins.updatePlugin({ pluginId, ...moved }),
    ]
    for (const end of ends) {
      const [ofBob, codeOfBob] = [await trade(await newCode(bob)), await newCode(bob)]
      await end()
      const { status } = await ada.api.plugins.getPlugin({ pluginId })
      if (status === 'developing') await ada.api.plugins.submitPlugin({ pluginId })
      await admin.api.plugins.publishPlugin({ pluginId })
      expect(await authenticate(ofBob.accessToken)).toBeUndefined()
      await expect(refresh(ofBob.refreshToken)).rejects.toMatchObject(wrong)
      await expect(trade(codeOfBob)).rejects.toMatchObject(wrong)
      expect(await bob.api.pluginGrants.listPluginGrants({})).toEqual([])
      const anew = await trade(await newCode(bob))
      expect(await authenticate(anew.accessToken)).toBeDefined()
      expect(await authenticate(ofAda.accessToken)).toBeDefined()
    }
  })

  test('[GRANT-8] a change that leaves a plugin published ends nothing', async () => {
    await publish()
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'editor' })
    const { accessToken } = await trade(await newCode(bob))
    await ada.api.plugins.updatePlugin({ pluginId, name: 'Anew', positions: ['panel'] })
    expect(await authenticate(accessToken)).toBeDefined()
  })

  test('[GRANT-12] others neither see nor end a grant, and no token does', async () => {
    const notFound = { code: 'not_found' }
    await publish()
    const { accessToken } = await trade(await newCode(), { scopes: [...actions] })
    const [{ id } = { id: '' }] = await ada.api.pluginGrants.listPluginGrants({})
    for (const { api } of [bob, admin]) {
      expect(await api.pluginGrants.listPluginGrants({})).toEqual([])
      await expect(api.pluginGrants.deletePluginGrant({ id })).rejects.toMatchObject(notFound)
    }
    const { token } = await ada.api.accessTokens.createToken({
      ...{ name: 'x', scopes: [...actions], hasFullAccess: true, expiredTime: '2999-01-01' },
    })
    for (const text of [token, accessToken]) {
      const { pluginGrants } = await bearer(text)
      const refusal = { code: 'restricted_resource' }
      await expect(pluginGrants.listPluginGrants({})).rejects.toMatchObject(refusal)
      await expect(pluginGrants.deletePluginGrant({ id })).rejects.toMatchObject(refusal)
    }
    const none = { id: 'pgrNone' }
    await expect(ada.api.pluginGrants.deletePluginGrant(none)).rejects.toMatchObject(notFound)
  })

  test('[GRANT-12] [ACCESS-12] a grant is listed with what it is for, and ended at once', async () => {
    const start = toTimestamp(world.clock.now())
    const { accessToken, refreshToken } = await trade(await newCode())
    world.clock.advance(minuteMs)
    const code = await newCode()
    const list = () => ada.api.pluginGrants.listPluginGrants({})
    const [first, second, ...others] = await list()
    expect(others).toEqual([])
    expect(first).toEqual({
      id: accessToken.split('_')[1],
      plugin: { id: pluginId, name: 'Slips', logo: 'https://slips.example.com/l.png' },
      base: { id: baseId, name: 'Mine' },
      scopes: ['table|read'],
      createdTime: start,
      expiredTime: later(start, 30 * dayMs),
    })
    expect(second).toMatchObject({ scopes: [], createdTime: later(start, minuteMs) })
    const api = await bearer(accessToken)
    await vi.waitFor(async () =>
      expect((await list())[0]).toEqual({ ...first, lastUsedTime: later(start, minuteMs) }),
    )
    await api.tables.listTables({ baseId })
    for (const { id } of await list()) await ada.api.pluginGrants.deletePluginGrant({ id })
    expect(await list()).toEqual([])
    world.clock.advance(1_000)
    await expect(api.tables.listTables({ baseId })).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await authenticate(accessToken)).toBeUndefined()
    await expect(refresh(refreshToken)).rejects.toMatchObject(wrong)
    await expect(trade(code)).rejects.toMatchObject(wrong)
  })

  test('[GRANT-12] what has ended is not listed, and a base that was lost has no name', async () => {
    await publish()
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'editor' })
    const list = () => bob.api.pluginGrants.listPluginGrants({})
    const { accessToken } = await trade(await newCode(bob))
    await newCode(bob)
    expect(await list()).toHaveLength(2)
    world.clock.advance(5 * minuteMs)
    expect(await list()).toHaveLength(1)
    const member = { baseId, principalId: bob.userId, principalType: 'user' as const }
    await ada.api.collaborators.removeBaseCollaborator(member)
    const id = accessToken.split('_')[1]
    expect(await list()).toMatchObject([{ id, base: { id: baseId } }])
    expect((await list())[0]?.base).not.toHaveProperty('name')
    await ada.api.plugins.deletePlugin({ pluginId })
    expect(await list()).toEqual([])
  })

  test('[GRANT-9] who lost the base gives nothing any more', async () => {
    await publish()
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'editor' })
    const { accessToken, refreshToken } = await trade(await newCode(bob))
    const code = await newCode(bob)
    const api = await bearer(accessToken)
    await api.tables.listTables({ baseId })
    const member = { baseId, principalId: bob.userId, principalType: 'user' as const }
    await ada.api.collaborators.removeBaseCollaborator(member)
    await expect(api.tables.listTables({ baseId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(refresh(refreshToken)).rejects.toMatchObject(wrong)
    await expect(trade(code)).rejects.toMatchObject(wrong)
  })

  test('[GRANT-10] the oldest makes room', async () => {
    await withLimits({ pluginGrantsPerUser: 2 }, async () => {
      const first = await trade(await newCode())
      world.clock.advance(1)
      const second = await trade(await newCode())
      world.clock.advance(1)
      await newCode()
      expect(await authenticate(first.accessToken)).toBeUndefined()
      expect(await authenticate(second.accessToken)).toBeDefined()
    })
  })

  test('[GRANT-10] those of one plugin in one base take the room of no others', async () => {
    await withLimits({ pluginGrantsPerUser: 3, pluginGrantsPerBase: 1 }, async () => {
      const { id: otherBaseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
      const elsewhere = { baseId: otherBaseId }
      const other = await trade(await newCode(ada, elsewhere), elsewhere)
      const first = await trade(await newCode())
      for (let turn = 0; turn < 3; turn++) {
        world.clock.advance(1)
        await newCode()
      }
      expect(await authenticate(other.accessToken)).toBeDefined()
      expect(await authenticate(first.accessToken)).toBeUndefined()
    })
  })

  test('[GRANT-10] so many are left when several are made at one time', async () => {
    await withLimits({ pluginGrantsPerUser: 2 }, async () => {
      const codes = await Promise.all(Array.from({ length: 6 }, () => newCode()))
      const traded = await Promise.allSettled(codes.map((code) => trade(code)))
      expect(traded.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    })
  })

  test('[GRANT-11] texts are kept as digests, and told to nobody else', async () => {
    const events: DomainEvent[] = []
    world.engine.subscribe((event) => events.push(event))
    const code = await newCode()
    const { accessToken, refreshToken } = await trade(code)
    const grantId = code.split('_')[1] ?? ''
    const kept = await world.engine.store.read((tx) => tx.pluginGrants.find(grantId))
    const refusal = await trade(code).catch(({ message, data }) => [message, data])
    const told = JSON.stringify([kept, events, refusal])
    expect(kept?.userId).toBe(ada.userId)
    for (const text of [code, accessToken, refreshToken, secret]) expect(told).not.toContain(text)
  })
})
