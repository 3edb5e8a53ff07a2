import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TextStream } from '../answers/text-stream.ts'
import type { Api } from '../api.ts'
import { limits } from '../limits.ts'

const ended = { code: 'unauthorized' }
const expiredTime = '2999-01-01'
const newPassword = 'Another-password-2'

describeOnEveryStorage('credentials that end while a call goes on', (storage) => {
  let world: World
  let people = 0

  beforeAll(async () => {
    world = await openWorld(storage)
  })
  afterAll(() => world.close())

  const newPerson = () => world.newPerson(`Ada${people++}`)
  /** All operations by way of the credential, which is looked up now, as that of a request is before its body comes. */
  const begin = async (credential: string): Promise<Api> => {
    const actor = await world.engine.authenticate(credential)
    if (!actor) throw new Error('the credential is good')
    return world.engine.as(actor)
  }
  const signIn = async ({ email }: Person) =>
    (await world.engine.public.accounts.signIn({ email, password: testPassword })).accessToken
  const newToken = (api: Api) =>
    api.accessTokens.createToken({
      ...{
        name: 'Robot',
        scopes: ['space|read', 'space|create'],
        hasFullAccess: true,
        expiredTime,
      },
    })
  const pass = () => world.clock.advance(limits.credentialMs)

  const ends: Record<string, (ada: Person) => Promise<readonly [string, () => Promise<unknown>]>> =
    {
      'a session, by another password': async (ada) => {
        const { changePassword } = (await begin(ada.accessToken)).accounts
        return [await signIn(ada), () => changePassword({ password: testPassword, newPassword })]
      },
      'a session, by being ended': async ({ api, accessToken }) => {
        const [session] = await api.accounts.listSessions({})
        return [accessToken, () => api.accounts.revokeSession({ sessionId: session?.id ?? '' })]
      },
      'a token, by its deletion': async ({ api }) => {
        const { id, token } = await newToken(api)
        return [token, () => api.accessTokens.deleteToken({ id })]
      },
      'a token, by another secret': async ({ api }) => {
        const { id, token } = await newToken(api)
        return [token, () => api.accessTokens.refreshToken({ id, expiredTime })]
      },
      'a token, by other scopes': async ({ api }) => {
        const { id, token } = await newToken(api)
        const settings = { name: 'Robot', scopes: ['base|read' as const], hasFullAccess: true }
        return [token, () => api.accessTokens.updateToken({ id, ...settings })]
      },
    }

  for (const [what, prepare] of Object.entries(ends)) {
    test(`[ACCESS-12] refuses what was begun by ${what}`, async () => {
      const ada = await newPerson()
      const [credential, end] = await prepare(ada)
      const api = await begin(credential)
      const late = await begin(credential)
      await end()
      pass()
      await expect(api.spaces.createSpace({ name: 'Late' })).rejects.toMatchObject(ended)
      await expect(late.spaces.listSpaces({})).rejects.toMatchObject(ended)
      expect(await ada.api.spaces.listSpaces({})).toHaveLength(1)
    })
  }

  test('[ACCESS-12] makes no new way in, however short a while ago the session was looked up', async () => {
    const ada = await newPerson()
    const thief = await begin(await signIn(ada))
    const { changePassword } = (await begin(ada.accessToken)).accounts
    await changePassword({ password: testPassword, newPassword })
    await expect(newToken(thief)).rejects.toMatchObject(ended)
    expect(await ada.api.accessTokens.listTokens({})).toEqual([])
  })

  test('[ACCESS-20] gives nothing that is there another secret or more scopes, either', async () => {
    const ada = await newPerson()
    const { api } = ada
    const token = await newToken(api)
    const homepage = 'https://app.example.com'
    const redirectUris = ['https://app.example.com/back']
    const app = { name: 'App', homepage, redirectUris }
    const { clientId } = await api.oauthClients.createClient(app)
    const positions = ['dashboard' as const]
    const logo = 'https://app.example.com/logo.svg'
    const plugin = await api.plugins.createPlugin({ name: 'Plugin', logo, positions })
    const thief = await begin(await signIn(ada))
    const { changePassword } = (await begin(ada.accessToken)).accounts
    await changePassword({ password: testPassword, newPassword })
    const scopes = ['space|read', 'record|read'] as const
    for (const call of [
      () => thief.accessTokens.refreshToken({ id: token.id, expiredTime }),
      () => thief.accessTokens.updateToken({ id: token.id, name: 'T', scopes: [...scopes] }),
      () => thief.oauthClients.createSecret({ clientId }),
      () => thief.oauthClients.updateClient({ clientId, ...app, name: 'Other' }),
      () => thief.plugins.regeneratePluginSecret({ pluginId: plugin.id }),
      () => thief.plugins.updatePlugin({ pluginId: plugin.id, name: 'Other', positions }),
    ]) {
      await expect(call()).rejects.toMatchObject(ended)
    }
    expect(await world.engine.authenticate(token.token)).toMatchObject({ tokenId: token.id })
  })

  test('[ACCESS-12] goes on by what is still good, as long as it is', async () => {
    const ada = await newPerson()
    const api = await begin(ada.accessToken)
    for (let n = 0; n < 3; n++) {
      pass()
      expect(await api.spaces.listSpaces({})).toHaveLength(1)
    }
    world.clock.advance(limits.sessionDays * 86_400_000)
    await expect(api.spaces.listSpaces({})).rejects.toMatchObject(ended)
  })

  test('[ACCESS-12] ends a long answer between two of its parts', async () => {
    const { api, spaceId } = await newPerson()
    const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Base' })
    const records = Array.from({ length: 3 }, () => ({ fields: {} }))
    const { id: tableId } = await api.tables.createTable({ baseId, name: 'Table', records })
    const { id, token } = await api.accessTokens.createToken({
      ...{ name: 'Robot', scopes: ['table|export', 'record|read', 'table|read', 'view|read'] },
      ...{ hasFullAccess: true, expiredTime },
    })
    await withLimits({ recordsPerExportPart: 1 }, async () => {
      const stream = (await (await begin(token)).exports.exportTable({ tableId })) as TextStream
      const parts = stream[Symbol.asyncIterator]()
      expect((await parts.next()).done).toBe(false)
      await api.accessTokens.deleteToken({ id })
      pass()
      const readOn = async () => {
        while (!(await parts.next()).done);
      }
      await expect(readOn()).rejects.toMatchObject(ended)
    })
  })
})
