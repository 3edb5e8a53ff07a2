import type { PluginGrant } from '@gateleg/domain/plugin-grants/plugin-grant'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const time = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`

const grant = (number: number, settings: Partial<PluginGrant> = {}): PluginGrant => ({
  ...{ id: `pgr${number}`, pluginId: 'plg1', userId: 'usr1', baseId: 'bse1', scopes: [] },
  ...{ tradeHash: `hash ${number}`, accessHash: undefined, accessExpiresTime: undefined },
  ...{ secretHash: 'secret', withdrawnVersion: undefined, lastUsedTime: undefined },
  ...{ createdTime: time(number), expiresTime: time(9), ...settings },
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
      await store.write((tx) => tx.pluginGrants.deleteOldest({ userId: 'usr1' }, 2))
      expect(await idsOf(1, 2, 3, 4)).toEqual(['pgr2', 'pgr3', 'pgr4'])
      const sweep = () => store.write((tx) => tx.pluginGrants.deleteExpired(time(9), 1))
      expect([await sweep(), await sweep(), await sweep()]).toEqual([1, 1, 0])
      expect(await idsOf(2, 3, 4)).toEqual(['pgr3'])
    })

    it('[STORE-227] lists the grants of a user, notes their use, and removes one, or the oldest of a plugin in a base', async () => {
      const there = { userId: 'usr5', withdrawnVersion: 3 }
      const [first, ...others] = [
        grant(11, { ...there, createdTime: time(1) }),
        grant(12, { ...there, createdTime: time(2) }),
        grant(13, { ...there, createdTime: time(2), pluginId: 'plg2' }),
        grant(14, { ...there, createdTime: time(3), baseId: 'bse2' }),
        grant(15, { ...there, createdTime: time(4) }),
      ] as const
      await store.write(async ({ pluginGrants }) => {
        for (const one of [...others, first]) await pluginGrants.insert(one)
        await pluginGrants.noteUse('pgr11', time(5), time(4))
        await pluginGrants.noteUse('pgr11', time(6), time(4))
        await pluginGrants.update({ ...first, lastUsedTime: undefined })
      })
      const listed = () => other.read((tx) => tx.pluginGrants.listOf('usr5'))
      expect(await listed()).toEqual([{ ...first, lastUsedTime: time(5) }, ...others])
      await store.write(async ({ pluginGrants }) => {
        await pluginGrants.deleteOldest({ userId: 'usr5', pluginId: 'plg1', baseId: 'bse1' }, 2)
        await pluginGrants.delete('pgr12')
      })
      expect((await listed()).map(({ id }) => id)).toEqual(['pgr13', 'pgr14', 'pgr15'])
    })
  })
}
