import type { InvitationLink } from '@gateleg/domain/invitation-links/invitation-link'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every InvitationLinkRepository promises. */
export function invitationLinkContract({ store }: OpenedStorage): void {
  const place = { resourceType: 'space', resourceId: 'spc1' } as const
  const elsewhere = { resourceType: 'base', resourceId: 'bse1' } as const
  const time = (hour: number) => `2026-01-01T0${hour}:00:00.000Z`
  const link = (number: number, settings: Partial<InvitationLink> = {}): InvitationLink => ({
    ...{ ...place, id: `ivl${number}`, role: 'viewer', createdBy: 'usr1', joined: 0 },
    ...{ createdTime: time(number), expiresTime: time(number + 3), ...settings },
  })
  const keep = (...links: InvitationLink[]) =>
    store.write(async (tx) => {
      for (const one of links) await tx.invitationLinks.insert(one)
    })
  const list = (now: number) => store.read((tx) => tx.invitationLinks.listOpen(place, time(now)))

  describe('every InvitationLinkRepository', () => {
    it('[STORE-310] lists the open links of a place and counts who joins in their role', async () => {
      await keep(link(2), link(1), link(3, elsewhere))
      expect(await list(0)).toEqual([link(1), link(2)])
      expect(await list(4)).toEqual([link(2)])
      const outcomes = await store.write(async ({ invitationLinks: links }) => [
        await links.countJoining('ivl1', 'viewer'),
        await links.changeRole('ivl1', 'editor'),
        await links.countJoining('ivl1', 'viewer'),
        await links.changeRole('ivl9', 'editor'),
      ])
      expect(outcomes).toEqual([true, true, false, false])
      const joined = link(1, { role: 'editor', joined: 1 })
      expect(await store.write((tx) => tx.invitationLinks.find('ivl1'))).toEqual(joined)
      const remove = () => store.write((tx) => tx.invitationLinks.delete('ivl1'))
      expect([await remove(), await remove()]).toEqual([true, false])
      await store.write((tx) => tx.invitationLinks.deleteOf(place))
      expect(await list(0)).toEqual([])
      expect(await store.write((tx) => tx.invitationLinks.find('ivl3'))).toBeDefined()
    })

    it('[STORE-67] forgets links that have expired, so many at a time', async () => {
      await keep(link(1), link(2), link(3))
      const sweep = () => store.write((tx) => tx.invitationLinks.deleteExpired(time(6), 1))
      expect([await sweep(), await sweep(), await sweep()]).toEqual([1, 1, 0])
      expect(await list(0)).toEqual([link(3)])
    })
  })
}
