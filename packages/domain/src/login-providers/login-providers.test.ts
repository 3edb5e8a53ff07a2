import { readFileSync } from 'node:fs'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultCatalogue } from '../billing/default-catalogue.ts'
import { Plans } from '../billing/plans.ts'
import type { DomainEvent } from '../events/event.ts'
import { secretMask } from './provider-config.ts'

/** Recognisable wherever it would turn up. */
const secret = 'RECOGNISABLE-app-secret-0123456789'

const feishu = {
  type: 'feishu',
  name: 'Feishu',
  config: { appId: 'cli_a', appSecret: secret },
} as const

const oidc = {
  type: 'oidc',
  name: 'City account',
  config: {
    clientId: 'library',
    clientSecret: secret,
    authorizationUrl: 'https://login.example.com/authorize',
    tokenUrl: 'https://login.example.com/token',
    userInfoUrl: 'https://login.example.com/userinfo',
    issuer: 'https://login.example.com',
  },
} as const

describeOnEveryStorage('login providers', (storage) => {
  let world: World
  let ada: Person
  let spaceId: string
  let plans: Plans

  beforeEach(async () => {
    plans = new Plans()
    world = await openWorld(storage, { plans })
    ada = await world.newPerson('Ada')
    spaceId = ada.spaceId
  })
  afterEach(() => world.close())

  const logins = () => ada.api.loginProviders
  const create = (sent: object = feishu) =>
    logins().createLoginProvider({ spaceId, ...sent } as never)
  const update = (authenticationId: string, sent: object) =>
    logins().updateLoginProvider({ spaceId, authenticationId, ...sent } as never)
  const get = (authenticationId: string) => logins().getLoginProvider({ spaceId, authenticationId })
  const sealedOf = (id: string) =>
    world.engine.store.read(async (tx) => (await tx.loginProviders.find(id))?.sealed)

  test('[LOGIN-1] are added, listed, read, replaced and removed by owners', async () => {
    const { id, version } = await create()
    expect([id.slice(0, 3), version]).toEqual(['aut', 1])
    world.clock.advance(1)
    const second = await create(oidc)
    const shown = { id, type: 'feishu', name: 'Feishu' }
    const config = { appId: 'cli_a', appSecret: secretMask }
    expect(await get(id)).toEqual({ ...shown, config, version: 1 })
    expect(await logins().listLoginProviders({ spaceId })).toEqual([
      { ...shown, config },
      {
        ...{ id: second.id, type: 'oidc', name: 'City account' },
        config: { ...oidc.config, clientSecret: secretMask },
      },
    ])
    expect(await update(id, { ...oidc, name: ' Other ', id })).toBeUndefined()
    expect(await get(id)).toMatchObject({ type: 'oidc', name: 'Other', version: 2 })
    await logins().deleteLoginProvider({ spaceId, authenticationId: id })
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' })
    expect(await logins().listLoginProviders({ spaceId })).toHaveLength(1)
  })

  test('[LOGIN-2] have exactly what their kind takes', async () => {
    const { tokenUrl: _, ...noTokenUrl } = oidc.config
    const { id } = await create()
    for (const sent of [
      { ...feishu, type: 'saml' },
      { ...feishu, name: '' },
      { ...feishu, config: { appId: 'a' } },
      { ...feishu, config: { appId: '', appSecret: 's' } },
      { ...feishu, config: { appId: 1, appSecret: 's' } },
      { ...feishu, config: { ...feishu.config, more: 'x' } },
      { ...feishu, config: oidc.config },
      { ...oidc, config: feishu.config },
      { ...oidc, config: noTokenUrl },
      ...[
        'login.example.com/token',
        'http://login.example.com/token',
        'https://user:pass@login.example.com/token',
        'https://login.example.com/token#x',
        'javascript:alert(1)',
        'file:///etc/passwd',
        `https://login.example.com/${'x'.repeat(2_048)}`,
      ].map((tokenUrl) => ({ ...oidc, config: { ...oidc.config, tokenUrl } })),
    ]) {
      const refusal = { code: 'validation_error' }
      await expect(create(sent)).rejects.toMatchObject(refusal)
      await expect(update(id, sent)).rejects.toMatchObject(refusal)
    }
    for (const issuer of ['http://localhost:9000', 'http://127.0.0.1', 'http://[::1]:1/x']) {
      await create({ ...oidc, config: { ...oidc.config, issuer } })
    }
    expect(await get(id)).toMatchObject({ version: 1 })
  })

  test('[LOGIN-3] tell their secret to nobody: sealed where it is kept, masked in answers and events', async () => {
    const events: DomainEvent[] = []
    world.engine.subscribe((event) => events.push(event))
    const answers: unknown[] = [await create(), await create(oidc)]
    const [{ id }] = answers as [{ id: string }]
    answers.push(await update(id, { ...feishu, id, name: 'Again' }))
    answers.push(await get(id), await logins().listLoginProviders({ spaceId }))
    const refusals = [
      () => create({ ...feishu, config: { appSecret: secret } }),
      () => create({ ...feishu, config: { appId: 'a', appSecret: secret, [secret]: 1 } }),
      () => update('autNone', feishu),
      () => update(id, { ...feishu, id: 'other' }),
    ].map(async (call) => {
      const { message, data } = (await call().catch((error) => error)) as Record<string, unknown>
      return { message, data: JSON.stringify(data) }
    })
    // The name of a member that was sent is told as it was sent: it stands where no secret belongs.
    const [first, , ...rest] = await Promise.all(refusals)
    const told = JSON.stringify([answers, events, first, rest])
    expect(events.map(({ name }) => name)).toEqual(Array(3).fill('space.updated'))
    expect(told).not.toContain(secret)
    const sealed = (await sealedOf(id)) ?? ''
    expect(sealed).not.toContain(secret)
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('RECOGNISABLE')
  })

  test('[LOGIN-4] keep their secret when the mask is sent back, as long as it goes where it went', async () => {
    const { id } = await create(oidc)
    const before = await sealedOf(id)
    const masked = { ...oidc.config, clientSecret: secretMask }
    await update(id, { ...oidc, name: 'Renamed', config: { ...masked, clientId: 'other' } })
    expect(await sealedOf(id)).toBe(before)
    expect(await get(id)).toMatchObject({ name: 'Renamed', config: { clientId: 'other' } })
    const elsewhere = { ...masked, tokenUrl: 'https://evil.example/token' }
    for (const [sent, member, reason] of [
      [{ ...oidc, config: elsewhere }, 'clientSecret', 'kept only while tokenUrl does not change'],
      [{ ...feishu, config: { appId: 'a', appSecret: secretMask } }, 'appSecret', 'type "oidc"'],
    ] as const) {
      const refused = (message: string) => ({
        ...{ ...invalidAt('config', member), message: expect.stringContaining(message) },
      })
      await expect(update(id, sent)).rejects.toMatchObject(refused(reason))
      await expect(create(sent)).rejects.toMatchObject(refused('no secret is stored yet'))
    }
    expect(await sealedOf(id)).toBe(before)
    await update(id, { ...oidc, config: { ...elsewhere, clientSecret: secret } })
    expect(await sealedOf(id)).not.toBe(before)
  })

  test('[LOGIN-5] are replaced where they are, under the id of the path', async () => {
    const { id } = await create()
    const bob = await world.newPerson('Bob')
    const theirs = { ...feishu, spaceId: bob.spaceId }
    const foreign = await bob.api.loginProviders.createLoginProvider(theirs)
    for (const other of ['autNone', foreign.id]) {
      await expect(update(other, feishu)).rejects.toMatchObject({ code: 'not_found' })
      const authenticationId = other
      const remove = logins().deleteLoginProvider({ spaceId, authenticationId })
      await expect(remove).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(update(id, { ...feishu, id: foreign.id })).rejects.toMatchObject(invalidAt('id'))
  })

  test('[LOGIN-6] are so many at most in a space', async () => {
    await withLimits({ loginProvidersPerSpace: 2 }, async () => {
      await create()
      await create()
      await expect(create()).rejects.toMatchObject({ code: 'restricted_resource' })
    })
  })

  test('[LOGIN-7] take a level that has them, but to be seen and removed', async () => {
    const { id } = await create()
    plans.replace({ ...defaultCatalogue, plans: { catalog: 'cloud', level: 'pro' } })
    const refusal = { code: 'payment_required', data: { limit: 'authenticationEnable' } }
    await expect(create()).rejects.toMatchObject(refusal)
    await expect(update(id, feishu)).rejects.toMatchObject(refusal)
    expect(await get(id)).toMatchObject({ id })
    await logins().deleteLoginProvider({ spaceId, authenticationId: id })
  })

  test('[LOGIN-8] go with their space', async () => {
    const { id } = await create()
    await ada.api.spaces.deleteSpace({ spaceId })
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' })
    await ada.api.spaces.deleteSpacePermanently({ spaceId })
    expect(await sealedOf(id)).toBeUndefined()
  })
})

test('[LOGIN-3] the mask in the examples is the mask', () => {
  const examples = readFileSync(
    new URL('../../../contract/src/operations/login-providers.ts', import.meta.url),
    'utf8',
  )
  expect(examples).toContain(`clientSecret: '${secretMask}'`)
})
