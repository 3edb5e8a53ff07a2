import type { ViewShare } from '@gateleg/domain/views/view-share'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every ViewShareRepository promises. */
export function viewShareRepositoryContract({ store, other }: OpenedStorage): void {
  const share = (number: number, settings: Partial<ViewShare> = {}): ViewShare => ({
    ...{ viewId: `viw${number}`, tableId: 'tbl1', shareId: `shr${number}`, settings: {} },
    ...{ passwordHash: null, passwordTag: null, ...settings },
  })
  const save = (...shares: readonly ViewShare[]) =>
    store.write(async (tx) => {
      for (const one of shares) await tx.viewShares.save(one)
    })

  describe('every ViewShareRepository', () => {
    it('[STORE-190] finds how a view is shared by the view, by its table and by its link', async () => {
      const submit = { allow: true, requireLogin: false }
      const locked = { passwordHash: 'hash', passwordTag: 'tag', settings: { submit } }
      const first = share(1, locked)
      const elsewhere = share(3, { tableId: 'tbl2' })
      await save(first, share(2, { shareId: null }), elsewhere)
      await other.read(async ({ viewShares }) => {
        expect(await viewShares.find('viw1')).toEqual(first)
        expect(await viewShares.find('viw9')).toBeUndefined()
        expect(await viewShares.findByShareId('shr3')).toEqual(elsewhere)
        expect(await viewShares.findByShareId('shr2')).toBeUndefined()
        const ofTable = (await viewShares.listOf('tbl1')).map(({ viewId }) => viewId)
        expect(ofTable.toSorted()).toEqual(['viw1', 'viw2'])
      })
    })

    it('[STORE-190] keeps one for a view; links that ended lead nowhere, and any number have none', async () => {
      await save(share(1), share(2))
      await save(share(1, { shareId: null }), share(2, { shareId: null }))
      await store.read(async ({ viewShares }) => {
        expect(await viewShares.findByShareId('shr1')).toBeUndefined()
        expect(await viewShares.listOf('tbl1')).toHaveLength(2)
      })
    })
  })
}
