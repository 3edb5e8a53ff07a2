import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { apiBy } from '@gateleg/testing/worlds/token-bearer'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actions } from '../access/roles.ts'

const settings = {
  name: 'Reading room',
  homepage: 'https://room.example.com',
  redirectUris: ['https://room.example.com/back'],
}
const notFound = { code: 'not_found' }
const restricted = { code: 'restricted_resource' }
const invalid = { code: 'validation_error' }

describeOnEveryStorage('OAuth apps', (storage) => {
  let world: World
  let ada: Person
  let bob: Person

  beforeAll(async () => {
    world = await openWorld(storage)
    await world.newPerson('Root')
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
  })
  afterAll(() => world.close())

  const register = async (sent: object = {}, { api }: Person = ada) =>
    api.oauthClients.createClient({ ...settings, ...sent })

  test('[CLIENT-1] are their makers, by session only, and as if they were not there for others', async () => {
    const { clientId } = await register()
    const { token } = await ada.api.accessTokens.createToken({
      ...{ name: 'x', scopes: [...actions], hasFullAccess: true, expiredTime: '2999-01-01' },
    })
    const byToken = (await apiBy(world.engine, token)).oauthClients
    const of = { clientId }
    const calls = (api: Person['api']['oauthClients']) => [
      () => api.getClient(of),
      () => api.updateClient({ ...settings, ...of }),
      () => api.createSecret(of),
      () => api.deleteSecret({ ...of, secretId: 'oasNone' }),
      () => api.deleteClient(of),
    ]
    for (const call of calls(bob.api.oauthClients)) {
      await expect(call()).rejects.toMatchObject(notFound)
    }
    const alone = [() => byToken.createClient(settings), () => byToken.listClients({})]
    for (const call of [...calls(byToken), ...alone]) {
      await expect(call()).rejects.toMatchObject(restricted)
    }
    expect(await bob.api.oauthClients.listClients({})).toEqual([])
    const own = await ada.api.oauthClients.listClients({})
    expect(own).toContainEqual({ clientId, name: settings.name, homepage: settings.homepage })
    await ada.api.oauthClients.deleteClient(of)
    await expect(ada.api.oauthClients.getClient(of)).rejects.toMatchObject(notFound)
  })

  test('[CLIENT-2] have a name, a page and places, and show what was set', async () => {
    for (const sent of [
      { name: '' },
      { homepage: 'room.example.com' },
      { redirectUris: [] },
      { redirectUris: Array.from({ length: 11 }, (_, n) => `https://room.example.com/${n}`) },
      { scopes: ['record|fly'] },
      { logo: 'javascript:alert(1)' },
    ]) {
      await expect(register(sent)).rejects.toMatchObject(invalid)
    }
    const more = { description: 'Shows loans', logo: 'https://room.example.com/l.png' }
    const scopes = ['record|read', 'base|read', 'record|read']
    const { version, ...made } = await register({ ...more, scopes })
    const shown = { ...settings, ...more, scopes: ['record|read', 'base|read'] }
    expect(made).toEqual({ ...shown, clientId: made.clientId })
    expect(version).toBe(1)
    const plain = await register()
    expect(plain).toEqual({ ...settings, clientId: plain.clientId, version: 1 })
  })

  test('[CLIENT-3] have places that begin with https, or are on the machine of the browser', async () => {
    for (const uri of [
      ...[
        'http://room.example.com/',
        'room://back',
        'javascript:alert(1)',
        'https://a:b@c.example/',
      ],
      ...[
        'https://c.example/#x',
        'https://c.example/ x',
        'https://',
        'http://127.0.0.1.c.example/',
      ],
      ...[
        'http://localhost@c.example/',
        'http://127.0.0.1:123456/',
        'http://localhost\\@c.example/',
      ],
      `https://c.example/${'x'.repeat(483)}`,
    ]) {
      await expect(register({ redirectUris: [uri] }), uri).rejects.toMatchObject(invalid)
    }
    const redirectUris = [
      ...['https://c.example', 'http://127.0.0.1/back', 'http://[::1]:80/back'],
      ...['http://localhost:3000/?x=1', `https://c.example/${'x'.repeat(482)}`],
    ]
    expect(await register({ redirectUris })).toMatchObject({ redirectUris })
  })

  test('[CLIENT-10] have places and pages on hosts that there can be', async () => {
    for (const host of [
      'a;sandbox',
      "a'b",
      'a,b',
      '*.c.example',
      'a..b',
      'a$b',
      'a!b',
      'a(b',
      'a=b',
      '.',
    ]) {
      const url = `https://${host}/back`
      for (const sent of [{ redirectUris: [url] }, { homepage: url }, { logo: url }]) {
        await expect(register(sent), url).rejects.toMatchObject(invalid)
      }
    }
    const hosts = [
      'C.example.',
      'a-b.c_d.example:8443',
      '192.0.2.1',
      '[2001:DB8::1]:443',
      '例え.jp',
    ]
    const redirectUris = hosts.map((host) => `https://${host}/back;a,'*'`)
    expect(await register({ redirectUris })).toMatchObject({ redirectUris })
  })

  test('[CLIENT-4] [CLIENT-5] have secrets that are shown once, five at most, until they are deleted', async () => {
    const { clientId } = await register()
    const { oauthClients } = ada.api
    const first = await oauthClients.createSecret({ clientId })
    const shown = { id: first.id, secret: `********${first.secret.slice(-4)}` }
    expect(first.maskedSecret).toBe(shown.secret)
    const { secrets, version } = await oauthClients.getClient({ clientId })
    expect([secrets, version]).toEqual([[shown], 2])
    const kept = await world.engine.store.read((tx) => tx.oauthClients.find(clientId))
    expect(kept?.secrets).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(first.secret)
    for (let count = 1; count < 5; count++) await oauthClients.createSecret({ clientId })
    await expect(oauthClients.createSecret({ clientId })).rejects.toMatchObject(restricted)
    const prove = () =>
      world.engine.public.oauthGrants.revokeToken({
        ...{ client_id: clientId, client_secret: first.secret, token: 'none' },
      })
    await prove()
    const used = (await oauthClients.getClient({ clientId })).secrets
    expect(used?.[0]).toMatchObject({ id: first.id, lastUsedTime: expect.any(String) })
    const of = { clientId, secretId: first.id }
    await oauthClients.deleteSecret(of)
    await expect(oauthClients.deleteSecret(of)).rejects.toMatchObject(notFound)
    await expect(prove()).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await oauthClients.getClient({ clientId })).secrets).toHaveLength(4)
  })

  test('[CLIENT-6] are as many as a user may have, however many are registered at once', async () => {
    const eve = await world.newPerson('Eve')
    await withLimits({ oauthClientsPerUser: 2 }, async () => {
      const made = await Promise.allSettled(Array.from({ length: 4 }, () => register({}, eve)))
      const refused = made.filter(({ status }) => status === 'rejected')
      expect(refused).toHaveLength(2)
      for (const one of refused) expect(one).toMatchObject({ reason: restricted })
    })
  })

  test('[CLIENT-7] [CLIENT-8] are replaced by a change, in turn', async () => {
    const { oauthClients } = ada.api
    const { clientId } = await register({ description: 'x', scopes: ['record|read'] })
    const { id } = await oauthClients.createSecret({ clientId })
    const change = { ...settings, clientId, name: 'New' }
    const stale = oauthClients.updateClient(change, { ifMatch: [1] })
    await expect(stale).rejects.toMatchObject({ code: 'precondition_failed' })
    const { secrets, ...changed } = await oauthClients.updateClient(change, { ifMatch: [2] })
    expect(changed).toEqual({ ...change, version: 3 })
    expect(secrets).toMatchObject([{ id }])
  })

  test('[CLIENT-9] go with the account of their maker', async () => {
    const eve = await world.newPerson('Eva')
    const { clientId } = await register({}, eve)
    await eve.api.accounts.deleteAccount({ password: testPassword })
    const kept = await world.engine.store.read((tx) => tx.oauthClients.find(clientId))
    expect(kept).toBeUndefined()
  })
})
