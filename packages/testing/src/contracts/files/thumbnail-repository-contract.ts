import type { ThumbnailKind } from '@gateleg/domain/attachments/thumbnails/thumbnail'
import type { StoredThumbnail } from '@gateleg/domain/attachments/thumbnails/thumbnail-repository'
import type { Store } from '@gateleg/domain/store'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every ThumbnailRepository promises. */
export function thumbnailRepositoryContract({ store, other }: OpenedStorage): void {
  const early = '2026-01-01T00:00:00.000Z'
  const late = '2026-02-01T00:00:00.000Z'
  const keepImage = (path: string) =>
    store.write((tx) =>
      tx.attachments.keepBlob({ digest: `digest of ${path}`, path, broughtTime: early }),
    )
  const thumbnailsOf = (sourcePath: string, mark = ''): readonly StoredThumbnail[] => [
    { sourcePath, kind: 'sm', path: `${sourcePath}-sm${mark}`, size: 900 },
    { sourcePath, kind: 'lg', path: `${sourcePath}-lg${mark}`, size: 30_000 },
  ]
  const insert = (thumbnails: readonly StoredThumbnail[]) =>
    store.write((tx) => tx.thumbnails.insert(thumbnails))
  const find = (path: string, kind: ThumbnailKind) =>
    store.read((tx) => tx.thumbnails.find(path, kind))
  const known = (...paths: string[]) =>
    store.read(async (tx) => (await tx.thumbnails.knownPaths(paths)).toSorted())
  /** What the background does with images that nobody refers to. */
  const forget = (by: Store) =>
    by.write(async (tx) => {
      const paths = await tx.attachments.removeUnused(late, 100)
      await tx.thumbnails.removeOf(paths)
      return paths
    })

  describe('every ThumbnailRepository', () => {
    it('[STORE-120] finds the thumbnails of an image, or that there are none', async () => {
      await keepImage('a')
      await keepImage('b')
      const [small, large] = thumbnailsOf('a')
      expect(await insert(thumbnailsOf('a'))).toBe(true)
      expect([await find('a', 'sm'), await find('a', 'lg')]).toEqual([small, large])
      expect(await find('b', 'sm')).toBeUndefined()
      const none = { sourcePath: 'b', kind: 'sm', path: null, size: 0 } as const
      expect(await insert([none])).toBe(true)
      expect(await find('b', 'sm')).toEqual(none)
      expect(await known('a-lg', 'b', 'a-sm', 'a')).toEqual(['a-lg', 'a-sm'])
      expect(await known()).toEqual([])
    })

    it('[STORE-120] keeps those that came first, and none of an image that is not known', async () => {
      await keepImage('a')
      expect(await insert(thumbnailsOf('a'))).toBe(true)
      expect(await insert(thumbnailsOf('a', '-later'))).toBe(false)
      expect(await find('a', 'sm')).toMatchObject({ path: 'a-sm' })
      expect(await insert(thumbnailsOf('none'))).toBe(false)
      expect(await find('none', 'sm')).toBeUndefined()
      expect(await insert([])).toBe(false)
    })

    it('[STORE-121] forgets those of an image with it', async () => {
      await keepImage('a')
      await insert(thumbnailsOf('a'))
      expect(await forget(store)).toEqual(['a'])
      expect(await known('a-sm', 'a-lg')).toEqual([])
      await store.write((tx) => tx.thumbnails.removeOf([]))
    })

    it('[STORE-121] leaves none of an image that is forgotten at the same time', async () => {
      for (let round = 0; round < 10; round++) {
        const path = `image ${round}`
        await keepImage(path)
        await Promise.all([forget(other), insert(thumbnailsOf(path))])
        expect(await store.read((tx) => tx.attachments.knownPaths([path]))).toEqual([])
        expect(await known(`${path}-sm`, `${path}-lg`)).toEqual([])
      }
    })
  })
}
