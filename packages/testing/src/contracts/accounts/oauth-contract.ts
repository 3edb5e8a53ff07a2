import type { OAuthClient } from '@gateleg/domain/oauth-clients/oauth-client'
import type { OAuthGrant } from '@gateleg/domain/oauth-grants/oauth-grant'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const time = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`

const client = (number: number, settings: Partial<OAuthClient> = {}): OAuthClient => ({
  ...{ id: `oac${number}`, name: `App ${number}`, description: undefined, logo: undefined },
  ...{ homepage: 'https://a.example', scopes: ['record|read'], secrets: [] },
  ...{ redirectUris: ['https://a.example/back'], createdBy: 'usr1', createdTime: time(number) },
  ...{ lastModifiedTime: time(number), version: 1, ...settings },
})

const grant = (number: number, settings: Partial<OAuthGrant> = {}): OAuthGrant => ({
  ...{ id: `oag${number}`, clientId: 'oac1', userId: 'usr1', scopes: ['record|read'] },
  ...{ stage: 'tokens', request: { redirectUri: 'https://a.example/back', isPlaceNamed: true } },
  ...{ isProven: false, familyHash: 'family', tradeHash: `hash ${number}` },
  ...{ accessHash: undefined, accessExpiresTime: undefined, lastUsedTime: undefined },
  ...{ createdTime: time(number), expiresTime: time(9), ...settings },
})

/** Declares what every OAuthClientRepository promises. */
export function oauthClientRepositoryContract({ store, other }: OpenedStorage): void {
  describe('every OAuthClientRepository', () => {
    it('[STORE-320] keeps OAuth apps with their secrets, lists those of a user, and removes one or all of them', async () => {
      const apps = [1, 2, 3].map((number) => client(number))
      await store.write(async ({ oauthClients }) => {
        for (const one of apps.toReversed()) await oauthClients.insert(one)
        await oauthClients.insert(client(4, { createdBy: 'usr2' }))
      })
      const changed = client(2, {
        ...{ name: 'New', description: 'What it does', logo: 'https://a.example/logo.png' },
        ...{ scopes: [], redirectUris: ['http://127.0.0.1/'], version: 2 },
        ...{ secrets: [{ id: 'oas1', hash: 'hash', masked: '****', lastUsedTime: time(5) }] },
      })
      await store.write((tx) => tx.oauthClients.update({ ...changed, createdBy: 'usr9' }))
      await other.read(async ({ oauthClients }) => {
        expect(await oauthClients.find('oac2')).toEqual(changed)
        expect(await oauthClients.find('oac9')).toBeUndefined()
        expect(await oauthClients.listOf('usr1')).toEqual([apps[0], changed, apps[2]])
        const found = await oauthClients.findAll(['oac4', 'oac1', 'oac9'])
        expect(found.map(({ id }) => id).toSorted()).toEqual(['oac1', 'oac4'])
        expect(await oauthClients.findAll([])).toEqual([])
      })
      await store.write((tx) => tx.oauthClients.delete('oac1'))
      const left = async () => (await other.read((tx) => tx.oauthClients.findAll(allIds))).length
      const allIds = ['oac1', 'oac2', 'oac3', 'oac4']
      expect(await left()).toBe(3)
      await store.write((tx) => tx.oauthClients.deleteOfUser('usr1'))
      expect(await left()).toBe(1)
    })
  })
}

/** Declares what every OAuthGrantRepository promises. */
export function oauthGrantRepositoryContract({ store, other }: OpenedStorage): void {
  const idsOf = async (userId: string) =>
    (await other.read((tx) => tx.oauthGrants.listOf(userId))).map(({ id }) => id)

  describe('every OAuthGrantRepository', () => {
    it('[STORE-321] keeps what users let OAuth apps do, notes its use, and lists that of a user', async () => {
      const [first, second] = [grant(1), grant(2, { stage: 'code' })]
      await store.write(async ({ oauthGrants }) => {
        for (const one of [second, first]) await oauthGrants.insert(one)
        await oauthGrants.insert(grant(3, { userId: 'usr2' }))
        await oauthGrants.noteUse('oag1', time(5), time(4))
        await oauthGrants.noteUse('oag1', time(6), time(4))
      })
      const changed = grant(2, {
        ...{ tradeHash: 'new', accessHash: 'access', accessExpiresTime: time(7) },
        ...{ isProven: true, expiresTime: time(8) },
      })
      await store.write((tx) => tx.oauthGrants.update({ ...changed, clientId: 'oac9' }))
      await other.read(async ({ oauthGrants }) => {
        expect(await oauthGrants.listOf('usr1')).toEqual([
          { ...first, lastUsedTime: time(5) },
          changed,
        ])
        expect(await oauthGrants.find('oag9')).toBeUndefined()
      })
    })

    it('[STORE-322] removes what users let OAuth apps do: one, that of an app or a user, the oldest at a stage, and what has ended', async () => {
      const inserted = [
        grant(1, { userId: 'usr5', createdTime: time(1) }),
        grant(2, { userId: 'usr5', createdTime: time(2), stage: 'code' }),
        grant(3, { userId: 'usr5', createdTime: time(3), clientId: 'oac2' }),
        grant(4, { userId: 'usr5', createdTime: time(4) }),
        grant(5, { userId: 'usr5', createdTime: time(5) }),
        grant(6, { userId: 'usr6', expiresTime: time(4) }),
        grant(7, { userId: 'usr6', expiresTime: time(5) }),
      ].map((one) => ({ ...one, id: `${one.id}x` }))
      await store.write(async ({ oauthGrants }) => {
        for (const one of inserted) await oauthGrants.insert(one)
      })
      const tokens = { userId: 'usr5', stage: 'tokens' } as const
      await store.write((tx) => tx.oauthGrants.deleteOldest({ ...tokens, clientId: 'oac1' }, 2))
      expect(await idsOf('usr5')).toEqual(['oag2x', 'oag3x', 'oag4x', 'oag5x'])
      await store.write((tx) => tx.oauthGrants.deleteOldest(tokens, 2))
      expect(await idsOf('usr5')).toEqual(['oag2x', 'oag4x', 'oag5x'])
      await store.write((tx) => tx.oauthGrants.delete('oag5x'))
      await store.write(async ({ oauthGrants }) => {
        await oauthGrants.insert(grant(8, { userId: 'usr5', clientId: 'oac2' }))
        await oauthGrants.deleteOfClient({ userId: 'usr5', clientId: 'oac1' })
      })
      expect(await idsOf('usr5')).toEqual(['oag8'])
      await store.write((tx) => tx.oauthGrants.deleteOfUser('usr5'))
      expect(await idsOf('usr5')).toEqual([])
      const sweep = () => store.write((tx) => tx.oauthGrants.deleteExpired(time(5), 1))
      expect([await sweep(), await sweep()]).toEqual([1, 0])
      expect(await idsOf('usr6')).toEqual(['oag7x'])
    })
  })
}
