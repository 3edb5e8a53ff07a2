import type { Comment } from '@gateleg/domain/comments/comment'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const place = { tableId: 'tbl1', recordId: 'rec1' }

function newComment(number: number, settings: Partial<Comment> = {}): Comment {
  return {
    ...place,
    ...{ id: `com${number}`, number, createdBy: 'usr1', version: 1 },
    content: [{ type: 'p', children: [{ type: 'span', value: `Text ${number}` }] }],
    reactions: [],
    createdTime: '2026-01-01T00:00:00.000Z',
    ...settings,
  }
}

/** Declares what every CommentRepository promises. */
export function commentRepositoryContract({ store }: OpenedStorage): void {
  describe('every CommentRepository', () => {
    it('[STORE-295] keeps comments in their order, counts them and removes them, some at a time', async () => {
      const elsewhere = newComment(9, { id: 'com9', recordId: 'rec2' })
      await store.write(async (tx) => {
        for (const number of [3, 1, 2]) await tx.comments.insert(newComment(number))
        await tx.comments.insert(elsewhere)
        await tx.comments.insert(newComment(1, { id: 'com8', tableId: 'tbl2' }))
      })
      const reactions = [{ reaction: '👍', userIds: ['usr1', 'usr2'] }]
      const changed = newComment(2, {
        ...{ quoteId: undefined, reactions, version: 2 },
        lastModifiedTime: '2026-01-02T00:00:00.000Z',
      })
      await store.write((tx) => tx.comments.update(changed))
      await store.read(async (tx) => {
        const { comments } = tx
        const list = async (part: object) =>
          (await comments.list(place, part as never)).map(({ number }) => number)
        expect(await comments.find('com2')).toEqual(changed)
        expect(await comments.find('com7')).toBeUndefined()
        expect(await list({ direction: 'forward', most: 2 })).toEqual([1, 2])
        expect(await list({ direction: 'forward', from: 2, most: 9 })).toEqual([2, 3])
        expect(await list({ direction: 'backward', most: 2 })).toEqual([3, 2])
        expect(await list({ direction: 'backward', from: 2, most: 9 })).toEqual([2, 1])
        expect(await list({ direction: 'backward', from: 1e14, most: 1 })).toEqual([3])
        expect(await comments.tallyOf(place)).toEqual({ count: 3, lastNumber: 3 })
        const nobody = { ...place, recordId: 'rec9' }
        expect(await comments.tallyOf(nobody)).toEqual({ count: 0, lastNumber: 0 })
        const counts = await comments.countsOf('tbl1', ['rec1', 'rec2', 'rec9'])
        expect([...counts].toSorted()).toEqual([
          ['rec1', 3],
          ['rec2', 1],
        ])
        expect(await comments.countsOf('tbl1', [])).toEqual(new Map())
      })
      await store.write((tx) => tx.comments.delete('com1'))
      const ofOne = { tableId: 'tbl1', recordIds: ['rec1'] }
      expect(await store.write((tx) => tx.comments.removeSome(ofOne, 1))).toBe(true)
      expect(await store.write((tx) => tx.comments.removeSome(ofOne, 2))).toBe(false)
      expect(await store.read((tx) => tx.comments.find('com9'))).toEqual(elsewhere)
      expect(await store.write((tx) => tx.comments.removeSome({ tableId: 'tbl1' }, 1))).toBe(true)
      expect(await store.write((tx) => tx.comments.removeSome({ tableId: 'tbl1' }, 1))).toBe(false)
      expect(await store.read((tx) => tx.comments.find('com8'))).toBeDefined()
    })

    it('[STORE-295] removes comments with their table', async () => {
      const { baseId, tableId } = await makeTable(store, ['singleLineText'])
      await store.write((tx) => tx.comments.insert(newComment(1, { id: 'com20', tableId })))
      await store.write((tx) => tx.tables.deletePermanently(newTable(baseId)))
      expect(await store.read((tx) => tx.comments.find('com20'))).toBeUndefined()
    })

    it('[STORE-296] tells of all comments of a table, by the ids of their records and their numbers', async () => {
      await store.write(async (tx) => {
        for (const [number, recordId] of [
          [2, 'recB'],
          [1, 'recB'],
          [7, 'recA'],
        ] as const) {
          const id = `com${recordId}${number}`
          await tx.comments.insert(newComment(number, { id, tableId: 'tbl7', recordId }))
        }
      })
      await store.read(async ({ canonical }) => {
        const first = await canonical.comments({ tableId: 'tbl7' }, 2)
        expect(first.map(({ id }) => id)).toEqual(['comrecA7', 'comrecB1'])
        const after = { recordId: 'recB', number: 1 }
        const [next, ...rest] = await canonical.comments({ tableId: 'tbl7', after }, 2)
        expect(next).toMatchObject({ id: 'comrecB2', number: 2, createdBy: 'usr1' })
        expect(rest).toEqual([])
      })
    })
  })
}
