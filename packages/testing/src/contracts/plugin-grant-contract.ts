import type { PluginGrant } from '@gateleg/domain/plugin-grants/plugin-grant'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from './opened-storage.ts'

const time = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`

const grant = (number: number, settings: Partial<PluginGrant> = {}): PluginGrant => ({
  ...{ id: `pgr${number}`, pluginId: 'plg1', userId: 'usr1', baseId: 'bse1', scopes: [] },
  ...{ tradeHash: `hash ${number}`, accessHash: undefined, accessExpiresTime: undefined },
  ...{ secretHash: 'secret', createdTime: time(number), expiresTime: time(9), ...settings },
})

/** Declares what every PluginGrantRepository promises. */
export function pluginGrantRepositoryContract({ store, other }: OpenedStorage): void {
  const idsOf = (...numbers: number[]) =>
    store.read(async ({ pluginGrants }) => {
      const found: string[] = []
      for (const number of numbers) {
        const one = await pluginGrants.find(`pgr${number}`)
        if (one) found.push(one.id)
      }
      return found
    })

  describe('every PluginGrantRepository', () => {
    it('[STORE-226] keeps grants, and removes the oldest of a user and those that ended', async () => {
      await store.write(async ({ pluginGrants }) => {
        for (const number of [1, 2, 3]) await pluginGrants.insert(grant(number))
        await pluginGrants.insert(grant(4, { userId: 'usr2', expiresTime: time(5) }))
      })
      const changed = grant(2, {
        ...{ scopes: ['record|read'], tradeHash: 'new', expiresTime: time(8) },
        ...{ accessHash: 'access', accessExpiresTime: time(7) },
      })
      await store.write((tx) => tx.pluginGrants.update({ ...changed, baseId: 'bse9' }))
      await other.read(async ({ pluginGrants }) => {
        expect(await pluginGrants.find('pgr2')).toEqual(changed)
        expect(await pluginGrants.find('pgr9')).toBeUndefined()
      })
      await store.write((tx) => tx.pluginGrants.deleteOldest('usr1', 2))
      expect(await idsOf(1, 2, 3, 4)).toEqual(['pgr2', 'pgr3', 'pgr4'])
      const sweep = () => store.write((tx) => tx.pluginGrants.deleteExpired(time(9), 1))
      expect([await sweep(), await sweep(), await sweep()]).toEqual([1, 1, 0])
      expect(await idsOf(2, 3, 4)).toEqual(['pgr3'])
    })
  })
}
