import type { LoginProvider } from '@gateleg/domain/login-providers/login-provider'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const provider = (number: number, spaceId = 'spc1'): LoginProvider => ({
  ...{ id: `aut${number}`, spaceId, type: 'feishu', name: `Provider ${number}` },
  ...{ config: { appId: `app ${number}` }, sealed: `sealed ${number}`, createdBy: 'usr1' },
  ...{ createdTime: `2026-01-01T00:0${number}:00.000Z`, version: 1 },
})

/** Declares what every LoginProviderRepository promises. */
export function loginProviderContract({ store }: OpenedStorage): void {
  describe('every LoginProviderRepository', () => {
    it('[STORE-221] keeps providers, and removes them alone or with their space', async () => {
      await store.write(async (tx) => {
        for (const number of [2, 1]) await tx.loginProviders.insert(provider(number))
        await tx.loginProviders.insert(provider(3, 'spc2'))
      })
      const list = (spaceId = 'spc1') => store.read((tx) => tx.loginProviders.listOf(spaceId))
      expect(await list()).toEqual([provider(1), provider(2)])
      const config = { clientId: 'c' }
      const changed = { ...provider(1), type: 'oidc', name: 'New', config, sealed: 's', version: 2 }
      await store.write((tx) => tx.loginProviders.update(changed as LoginProvider))
      expect(await store.read((tx) => tx.loginProviders.find('aut1'))).toEqual(changed)
      expect(await store.read((tx) => tx.loginProviders.find('aut9'))).toBeUndefined()
      await store.write((tx) => tx.loginProviders.delete('aut1'))
      expect(await list()).toEqual([provider(2)])
      await store.write((tx) => tx.purge.removeSpace('spc1'))
      expect([await list(), await list('spc2')]).toEqual([[], [provider(3, 'spc2')]])
    })
  })
}
