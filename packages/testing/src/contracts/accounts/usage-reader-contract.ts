import { describe, expect, it } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { maker, newRecord } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const deletion = { operationId: 'opr1', time: '2026-02-03T04:05:06.007Z', userId: 'usr1' }

/** Declares what every UsageReader promises. */
export function usageReaderContract({ store }: OpenedStorage): void {
  describe('every UsageReader', () => {
    it('[STORE-220] counts living records, and finds a number that they are no more than', async () => {
      const schema = await makeTable(store, ['number'])
      const spaceId = await store.read((tx) => tx.usage.spaceOf(schema.baseId))
      expect(await store.read((tx) => tx.usage.spaceOf('bseNone'))).toBeUndefined()
      const numbers = () =>
        store.read(async ({ usage }) => [
          await usage.recordsAtMost(spaceId ?? ''),
          await usage.countRecords(spaceId ?? ''),
        ])
      expect(await numbers()).toEqual([0, 0])
      await store.write(async (tx) => {
        const records = ['rec1', 'rec2', 'rec3'].map((id) => newRecord(id, [1]))
        await tx.recordWriter.insert(schema, records, maker)
        await tx.recordWriter.markDeleted(schema, ['rec2'], deletion)
      })
      expect(await numbers()).toEqual([3, 2])
      const { baseId, tableId } = schema
      const countIn = (type: 'table' | 'base', id: string) =>
        store.read(({ usage }) => usage.countRecordsIn({ type, id }))
      expect([await countIn('table', tableId), await countIn('base', baseId)]).toEqual([2, 2])
      await store.write((tx) => tx.tables.markDeleted(tableId, deletion))
      expect([await countIn('table', tableId), await countIn('base', baseId)]).toEqual([2, 0])
      await store.write((tx) => tx.tables.restore(tableId, 'Back'))
      await store.write((tx) => tx.bases.markDeleted(schema.baseId, deletion))
      expect(await numbers()).toEqual([0, 0])
      expect(await countIn('base', baseId)).toBe(2)
    })

    it('[STORE-220] adds up the files of a space, and counts its people once', async () => {
      const { baseId } = await makeTable(store, ['number'])
      const spaceId = (await store.read((tx) => tx.usage.spaceOf(baseId))) ?? ''
      const time = '2026-02-03T04:05:06.007Z'
      const by = { createdBy: 'usr1', createdTime: time }
      await store.write(async (tx) => {
        for (const [token, size] of [
          ['one', 3_000_000_000],
          ['two', 4],
        ] as const) {
          const file = { spaceId, path: 'p', mimetype: 'text/plain', width: null, height: null }
          await tx.attachments.insert({ ...file, ...by, token, size, attachedTime: null })
        }
        const people = [
          ['space', spaceId, 'usr1'],
          ['base', baseId, 'usr1'],
          ['base', baseId, 'usr2'],
          ['space', 'spcOther', 'usr3'],
        ] as const
        for (const [resourceType, resourceId, userId] of people) {
          await tx.collaborators.insert({ resourceType, resourceId, userId, role: 'editor', ...by })
        }
      })
      await store.read(async ({ usage }) => {
        expect(await usage.fileBytes(spaceId)).toBe(3_000_000_004)
        expect(await usage.fileBytes('spcOther')).toBe(0)
        expect(await usage.countCollaborators(spaceId)).toBe(2)
        expect(await usage.countCollaborators(spaceId, ['usr2', 'usr9'])).toBe(1)
      })
    })
  })
}
