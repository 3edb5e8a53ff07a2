import type { Identity } from '@gateleg/domain/identities/identity'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const identity = (number: number, given: Partial<Identity> = {}): Identity => ({
  ...{ id: `idn${number}`, userId: 'usr1', providerId: 'aut1', spaceId: 'spc1' },
  ...{ authority: 'as it was', subject: `subject ${number}` },
  ...{ createdTime: `2026-01-01T00:0${number}:00.000Z`, ...given },
})

/** Declares what every IdentityRepository promises. */
export function identityContract({ store }: OpenedStorage): void {
  describe('every IdentityRepository', () => {
    const keep = (...identities: readonly Identity[]) =>
      store.write(async (tx) => {
        for (const one of identities) await tx.identities.insert(one)
      })
    const find = (named: Identity) => store.read((tx) => tx.identities.find(named))
    const list = (userId: string) =>
      store.read(async (tx) => (await tx.identities.listOf(userId)).map(({ id }) => id))
    const config = { issuer: 'https://login.example.com' }

    const addProviders = () =>
      store.write(async (tx) => {
        const made = { name: 'Space', createdTime: '2026-01-01T00:00:00.000Z', version: 1 }
        for (const [space, provider] of [
          ['spc1', 'aut1'],
          ['spc2', 'aut2'],
        ] as const) {
          await tx.spaces.insert({ ...made, id: space, createdBy: 'usr1' })
          await tx.loginProviders.insert({
            ...{ ...made, id: provider, spaceId: space, type: 'oidc', name: `Of ${space}`, config },
            ...{ sealed: 's', createdBy: 'usr1' },
          })
        }
      })

    it('[STORE-297] keeps an identity once for each voucher, and lists those of a user with their providers', async () => {
      await addProviders()
      const changed = identity(3, { subject: 'subject 1', authority: 'as it is' })
      const other = identity(4, { userId: 'usr2', providerId: 'aut2', spaceId: 'spc2' })
      await keep(identity(2), identity(1), changed, other)
      expect([await find(identity(1)), await find(changed)]).toEqual([identity(1), changed])
      expect(await find(identity(5))).toBeUndefined()
      const taken = keep(identity(6, { subject: 'subject 1', userId: 'usr2' }))
      await expect(taken).rejects.toMatchObject({ code: 'conflict' })
      expect(await list('usr1')).toEqual(['idn1', 'idn2', 'idn3'])
      const named = () => store.read((tx) => tx.identities.listOf('usr2'))
      const provider = { name: 'Of spc2', config, isInTrash: false }
      expect(await named()).toEqual([{ ...other, provider }])
      const deletion = { operationId: 'opr1', time: '2026-01-02T00:00:00.000Z', userId: 'usr1' }
      await store.write((tx) => tx.spaces.markDeleted('spc2', deletion))
      expect(await named()).toEqual([{ ...other, provider: { ...provider, isInTrash: true } }])
    })

    it('[STORE-297] removes identities alone, with their provider or with its space', async () => {
      await addProviders()
      const elsewhere = { providerId: 'aut2', spaceId: 'spc2' }
      await keep(identity(1), identity(2), identity(3, elsewhere), identity(4, elsewhere))
      await store.write((tx) => tx.identities.delete('idn1'))
      expect(await list('usr1')).toEqual(['idn2', 'idn3', 'idn4'])
      await keep(identity(5, { userId: 'usr2' }), identity(6))
      await store.write((tx) => tx.identities.deleteOfUser('usr2'))
      expect([await find(identity(5)), (await find(identity(6)))?.id]).toEqual([undefined, 'idn6'])
      await store.write((tx) => tx.identities.deleteOfProvider('aut1'))
      expect(await find(identity(2))).toBeUndefined()
      await store.write((tx) => tx.purge.removeSpace('spc2'))
      expect(await find(identity(3, elsewhere))).toBeUndefined()
    })

    it('[STORE-298] finds a login provider of a space in the trash no more', async () => {
      await addProviders()
      const living = () =>
        store.read(async (tx) => [
          (await tx.loginProviders.findOfLivingSpace('aut1'))?.id,
          (await tx.loginProviders.listOfLivingSpace('spc1')).map(({ id }) => id),
        ])
      expect(await living()).toEqual(['aut1', ['aut1']])
      const deletion = { operationId: 'opr1', time: '2026-01-02T00:00:00.000Z', userId: 'usr1' }
      await store.write((tx) => tx.spaces.markDeleted('spc1', deletion))
      expect(await living()).toEqual([undefined, []])
    })
  })
}
