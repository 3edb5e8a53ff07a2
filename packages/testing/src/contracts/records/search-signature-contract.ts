import { Segment } from '@gateleg/domain/indexes/trigrams'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every SearchSignatureRepository promises. */
export function searchSignatureContract({ store, other }: OpenedStorage): void {
  const head = { tableId: 'tbl1', slots: 64, signed: 0, whole: 2 }

  describe('every SearchSignatureRepository', () => {
    it('[STORE-280] has the head of each table as it was saved last', async () => {
      await store.write(async ({ searchSignatures }) => {
        await searchSignatures.saveHead(head)
        await searchSignatures.saveHead({ ...head, tableId: 'tbl2' })
        await searchSignatures.saveHead({ ...head, signed: 1 })
      })
      await other.write(async ({ searchSignatures }) => {
        expect(await searchSignatures.headOf('tbl1')).toEqual({ ...head, signed: 1 })
        expect(await searchSignatures.headOf('tbl3')).toBeUndefined()
      })
    })

    it('[STORE-281] has notes of changes until they are replaced, of one table alone', async () => {
      await store.write(async ({ searchSignatures }) => {
        await searchSignatures.replaceChanges('tbl1', [], [[1, 1]])
        await searchSignatures.replaceChanges('tbl1', [], [[3, 9]])
        await searchSignatures.replaceChanges('tbl2', [], [[5, 5]])
      })
      await other.write(async ({ searchSignatures }) => {
        expect(await searchSignatures.changesOf('tbl1', 1)).toHaveLength(1)
        const noted = await searchSignatures.changesOf('tbl1', 9)
        const numbers = noted.flatMap((note) => note.numbers)
        expect(numbers.toSorted(([a], [b]) => a - b)).toEqual([
          [1, 1],
          [3, 9],
        ])
        const ids = noted.map(({ id }) => id)
        await searchSignatures.replaceChanges('tbl1', ids, [
          [2, 2],
          [4, 6],
        ])
      })
      await store.write(async ({ searchSignatures }) => {
        const [one, ...others] = await searchSignatures.changesOf('tbl1', 9)
        expect(one?.numbers).toEqual([
          [2, 2],
          [4, 6],
        ])
        expect(others).toEqual([])
        expect(await searchSignatures.changesOf('tbl2', 9)).toHaveLength(1)
      })
    })

    it('[STORE-282] removes all of a table part by part', async () => {
      await store.write(async ({ searchSignatures }) => {
        await searchSignatures.saveHead(head)
        await searchSignatures.saveSegment('tbl1', 0, new Segment(64))
        await searchSignatures.saveSegment('tbl1', 0, new Segment(64))
        await searchSignatures.replaceChanges('tbl1', [], [[1, 1]])
        let parts = 1
        while (await searchSignatures.removeSome('tbl1')) parts++
        expect(parts).toBeGreaterThan(2)
        expect(await searchSignatures.headOf('tbl1')).toBeUndefined()
        expect(await searchSignatures.changesOf('tbl1', 9)).toEqual([])
        expect(await searchSignatures.removeSome('tbl1')).toBe(false)
      })
    })
  })
}
