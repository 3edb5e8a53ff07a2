import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

export function fileUseRepositoryContract({ store }: OpenedStorage): void {
  describe('uses of files', () => {
    const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
    const insert = (token: string, attachedTime: string | null) =>
      store.write((tx) =>
        tx.attachments.insert({
          ...{ token, spaceId: 'spc1', path: token, size: 1, mimetype: 'a/b' },
          ...{ width: null, height: null, createdBy: 'usr1', createdTime: early, attachedTime },
        }),
      )
    const find = (token: string) => store.read((tx) => tx.attachments.find(token))

    it('[STORE-104] notes which files are used, and removes those that were not for long, so many at once', async () => {
      for (const token of ['a', 'b', 'c', 'd']) await insert(token, early)
      await insert('never', null)
      await store.write((tx) => tx.fileUses.noteUsed(['a', 'never', 'none'], late))
      await store.write((tx) => tx.fileUses.noteUsed(['a'], early))
      expect((await find('a'))?.attachedTime).toBe(late)
      expect((await find('never'))?.attachedTime).toBeNull()
      const remove = () => store.write((tx) => tx.fileUses.removeUnnoted(late, 2))
      expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0])
      expect(await find('a')).toBeDefined()
      expect(await find('never')).toBeDefined()
    })

    it('[STORE-104] goes through tables in the order of their ids, until there are no more', async () => {
      const page = await store.write((tx) => tx.fileUses.tablesAfter('zzz', 5))
      expect(page).toEqual({ tables: [], last: undefined })
      expect(await store.write((tx) => tx.fileUses.findTable('tblNone'))).toBeUndefined()
    })
  })
}
