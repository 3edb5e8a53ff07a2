import type { StoredFile } from '@gateleg/domain/attachments/attachment-repository'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from './opened-storage.ts'

/** Declares what every AttachmentRepository promises. */
export function attachmentRepositoryContract({ store }: OpenedStorage): void {
  const fileOf = (token: string, settings: Partial<StoredFile> = {}): StoredFile => ({
    token,
    spaceId: 'spc1',
    path: `files/${token}`,
    size: 5_000_000_000,
    mimetype: 'image/png',
    width: 640,
    height: 480,
    createdBy: 'usr1',
    createdTime: '2026-01-01T00:00:00.000Z',
    ...settings,
  })

  describe('every AttachmentRepository', () => {
    it('[STORE-39] finds the files of a space by their tokens, as they were added', async () => {
      const image = fileOf('tokenA')
      const text = fileOf('tokenB', { mimetype: 'text/plain', width: null, height: null, size: 0 })
      const elsewhere = fileOf('tokenC', { spaceId: 'spc2' })
      const files = [image, text, elsewhere, fileOf('tokenD')]
      await store.write(async (tx) => {
        for (const file of files) await tx.attachments.insert(file)
      })
      const find = async (...tokens: string[]) => {
        const found = await store.read((tx) => tx.attachments.findAll('spc1', tokens))
        return found.toSorted((a, b) => (a.token < b.token ? -1 : 1))
      }
      expect(await find('tokenB', 'tokenC', 'tokenA', 'none')).toEqual([image, text])
      expect(await find()).toEqual([])
    })
  })
}
