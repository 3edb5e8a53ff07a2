import type {
  StoredBlob,
  StoredFile,
  UploadSlot,
} from '@gateleg/domain/attachments/attachment-repository'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every AttachmentRepository promises. */
export function attachmentRepositoryContract({ store }: OpenedStorage): void {
  const early = '2026-01-01T00:00:00.000Z'
  const late = '2026-02-01T00:00:00.000Z'
  const fileOf = (token: string, settings: Partial<StoredFile> = {}): StoredFile => ({
    token,
    spaceId: 'spc1',
    path: `files/${token}`,
    size: 5_000_000_000,
    mimetype: 'image/png',
    width: 640,
    height: 480,
    createdBy: 'usr1',
    createdTime: early,
    attachedTime: null,
    ...settings,
  })
  const insertAll = (...files: readonly StoredFile[]) =>
    store.write(async (tx) => {
      for (const file of files) await tx.attachments.insert(file)
    })
  const find = async (...tokens: string[]) => {
    const found = await store.read((tx) => tx.attachments.findAll('spc1', tokens))
    return found.toSorted((a, b) => (a.token < b.token ? -1 : 1))
  }
  const keep = (...blobs: readonly StoredBlob[]) =>
    store.write(async (tx) => {
      const paths: string[] = []
      for (const blob of blobs) paths.push(await tx.attachments.keepBlob(blob))
      return paths
    })
  const known = (...paths: string[]) =>
    store.read(async (tx) => (await tx.attachments.knownPaths(paths)).toSorted())

  describe('every AttachmentRepository', () => {
    it('[STORE-39] finds the files of a space by their tokens, as they were added', async () => {
      const image = fileOf('tokenA')
      const text = fileOf('tokenB', { mimetype: 'text/plain', width: null, height: null, size: 0 })
      await insertAll(image, text, fileOf('tokenC', { spaceId: 'spc2' }), fileOf('tokenD'))
      expect(await find('tokenB', 'tokenC', 'tokenA', 'none')).toEqual([image, text])
      expect(await find()).toEqual([])
    })

    it('[STORE-100] finds a file by its token, whichever space it is of', async () => {
      const elsewhere = fileOf('tokenC', { spaceId: 'spc2' })
      await insertAll(fileOf('tokenA'), elsewhere)
      expect(await store.read((tx) => tx.attachments.find('tokenC'))).toEqual(elsewhere)
      expect(await store.read((tx) => tx.attachments.find('none'))).toBeUndefined()
    })

    it('[STORE-100] notes that cells have the files of their uploader, and when they got them last', async () => {
      const mine = fileOf('mine')
      const others = fileOf('others', { createdBy: 'usr2' })
      const elsewhere = fileOf('elsewhere', { spaceId: 'spc2' })
      await insertAll(mine, others, elsewhere, fileOf('unnamed'))
      const attach = (time: string, ...tokens: string[]) =>
        store.write((tx) =>
          tx.attachments.attach({ spaceId: 'spc1', tokens, userId: 'usr1', time }),
        )
      await attach(early, 'mine', 'others', 'elsewhere', 'none')
      await attach(late, 'mine')
      await attach(late)
      const attached = { ...mine, attachedTime: late }
      expect(await find('mine', 'others', 'unnamed')).toEqual([attached, others, fileOf('unnamed')])
      expect(await store.read((tx) => tx.attachments.find('elsewhere'))).toEqual(elsewhere)
    })

    it('[STORE-101] keeps the same bytes under the path that they have first', async () => {
      const first = { digest: 'd1', path: 'p1', broughtTime: early }
      const other = { digest: 'd2', path: 'p2', broughtTime: early }
      expect(await keep(first, other)).toEqual(['p1', 'p2'])
      expect(await keep({ ...first, path: 'p3', broughtTime: late })).toEqual(['p1'])
      expect(await known('p3', 'p2', 'p1')).toEqual(['p1', 'p2'])
      expect(await known()).toEqual([])
    })

    it('[STORE-101] a file that is added with the bytes it has is under their path', async () => {
      const { path: _path, ...file } = fileOf('tokenA', { attachedTime: early })
      const bring = (token: string, blob: StoredBlob) =>
        store.write((tx) => tx.attachments.insertBrought({ ...file, token }, blob))
      const blob = { digest: 'd1', path: 'p1', broughtTime: early }
      expect(await bring('tokenA', blob)).toBe('p1')
      expect(await bring('tokenB', { ...blob, path: 'p2', broughtTime: late })).toBe('p1')
      expect(await find('tokenA', 'tokenB')).toEqual([
        { ...file, path: 'p1' },
        { ...file, path: 'p1', token: 'tokenB' },
      ])
      expect(await known('p1', 'p2')).toEqual(['p1'])
    })

    it('[STORE-101] who brings the same bytes at one time gets one path', async () => {
      const blobs = Array.from({ length: 8 }, (_, index) => ({
        digest: 'd1',
        path: `p${index}`,
        broughtTime: early,
      }))
      const paths = await Promise.all(blobs.map((blob) => keep(blob)))
      expect(new Set(paths.flat()).size).toBe(1)
    })

    it('[STORE-102] removes files that no cell had in time, so many at once', async () => {
      const attached = fileOf('attached', { attachedTime: early })
      const young = fileOf('young', { createdTime: late })
      await insertAll(attached, young, fileOf('old1'), fileOf('old2'), fileOf('old3'))
      const remove = (most: number) =>
        store.write((tx) => tx.attachments.removeUnattached(late, most))
      expect(await remove(2)).toBe(2)
      expect(await remove(2)).toBe(1)
      expect(await remove(2)).toBe(0)
      expect(await find('attached', 'young', 'old1', 'old2', 'old3')).toEqual([attached, young])
    })

    it('[STORE-102] removes bytes that no file has and nobody brought in time', async () => {
      await insertAll(fileOf('token', { path: 'used' }))
      const old = ['used', 'p1', 'p2', 'p3'].map((path) => ({
        ...{ digest: `of ${path}`, path },
        broughtTime: early,
      }))
      await keep(...old, { digest: 'of young', path: 'young', broughtTime: late })
      await keep({ digest: 'of p3', path: 'again', broughtTime: late })
      const remove = (most: number) => store.write((tx) => tx.attachments.removeUnused(late, most))
      const removed = [await remove(1), await remove(5), await remove(5)]
      expect(removed.map((paths) => paths.length)).toEqual([1, 1, 0])
      expect(removed.flat().toSorted()).toEqual(['p1', 'p2'])
      expect(await known('used', 'p1', 'p2', 'p3', 'young')).toEqual(['p3', 'used', 'young'])
      expect(await keep({ digest: 'of p1', path: 'new', broughtTime: late })).toEqual(['new'])
    })

    it('[STORE-103] keeps places for files, until they have expired', async () => {
      const slot: UploadSlot = {
        ...{ token: 'tokenA', spaceId: 'spc1', userId: 'usr1', size: 5_000_000_000 },
        expiresTime: early,
      }
      const later = { ...slot, token: 'tokenB', expiresTime: late }
      await store.write(async (tx) => {
        for (const one of [slot, later]) await tx.attachments.insertSlot(one)
      })
      const findSlot = (token: string) => store.read((tx) => tx.attachments.findSlot(token))
      expect(await findSlot('tokenA')).toEqual(slot)
      const remove = () => store.write((tx) => tx.attachments.deleteExpiredSlots(late, 5))
      expect([await remove(), await remove()]).toEqual([1, 0])
      expect([await findSlot('tokenA'), await findSlot('tokenB')]).toEqual([undefined, later])
    })

    it('[STORE-103] gives a place away once, to one of those who take it at one time', async () => {
      await store.write((tx) =>
        tx.attachments.insertSlot({
          ...{ token: 'tokenC', spaceId: 'spc1', userId: 'usr1', size: 5 },
          expiresTime: late,
        }),
      )
      const take = () => store.write((tx) => tx.attachments.takeSlot('tokenC'))
      const taken = await Promise.all(Array.from({ length: 5 }, take))
      expect(taken.filter(Boolean)).toHaveLength(1)
    })
  })
}
