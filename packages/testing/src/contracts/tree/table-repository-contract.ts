import type { Table } from '@gateleg/domain/tables/table'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const deletion = { operationId: 'opr1', time: '2026-02-03T04:05:06.007Z', userId: 'usr1' }

/** Declares what every TableRepository promises. */
export function tableRepositoryContract({ store }: OpenedStorage): void {
  const add = async (): Promise<Table> => {
    const { baseId } = await makeTable(store, ['singleLineText'])
    return newTable(baseId)
  }
  const idsOf = (tables: readonly Table[]) => tables.map(({ id }) => id)

  describe('every TableRepository', () => {
    it.each(['none', 'share', 'update'] as const)(
      '[STORE-31] finds living tables of living bases by id, holding them: %s',
      async (lock) => {
        const tables = [await add(), await add(), await add(), await add()] as const
        const ids = idsOf(tables).toReversed()
        const find = (...wanted: string[]) => store.write((tx) => tx.tables.findAll(wanted, lock))
        expect(await find('tblNone', ...ids)).toEqual(
          tables.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        )
        expect(await find()).toEqual([])
        const [first, second, third, fourth] = tables
        await store.write(async (tx) => {
          await tx.tables.markDeleted(second.id, deletion)
          await tx.bases.markDeleted(third.baseId, deletion)
        })
        expect(idsOf(await find(...ids))).toEqual([first.id, fourth.id].toSorted())
      },
    )

    it('[STORE-348] finds a table in the trash or not, as long as its base is there', async () => {
      const tables = [await add(), await add(), await add()] as const
      const [living, deleted, lost] = tables
      await store.write(async (tx) => {
        await tx.tables.markDeleted(deleted.id, deletion)
        await tx.bases.markDeleted(lost.baseId, deletion)
      })
      const found = await store.read((tx) =>
        Promise.all([...idsOf(tables), 'tblNone'].map((id) => tx.tables.findInBase(id))),
      )
      expect(found).toEqual([living, deleted, undefined, undefined])
    })

    it('[STORE-347] lists the tables in the trash of a base', async () => {
      const table = await add()
      const listed = (most = 9) =>
        store.read((tx) => tx.tables.deletedIn(table.baseId, { after: '', most }))
      expect(await listed()).toEqual([])
      await store.write((tx) => tx.tables.markDeleted(table.id, deletion))
      expect(await listed()).toEqual([{ thing: table, operationId: 'opr1' }])
      expect(await listed(0)).toEqual([])
    })

    it('[STORE-31] loses no change of those who hold several tables, named in any order', async () => {
      const ids = idsOf([await add(), await add(), await add()])
      const grow = (wanted: readonly string[]) =>
        store.write(async (tx) => {
          for (const table of await tx.tables.findAll(wanted, 'update')) {
            await tx.tables.update(table.id, { ...table, name: `${table.name}x` }, deletion.time)
          }
        })
      await Promise.all(
        Array.from({ length: 16 }, (_, index) => grow(index % 2 ? ids : ids.toReversed())),
      )
      const tables = await store.read((tx) => tx.tables.findAll(ids, 'none'))
      expect(tables.map(({ name }) => name)).toEqual(ids.map(() => `Things${'x'.repeat(16)}`))
    })

    it('[STORE-32] gives a table a new tag, and changes nothing else', async () => {
      const table = await add()
      const renewed = await store.write((tx) => tx.tables.renewSchema(table.id, 'another'))
      expect(renewed).toEqual({ ...table, schemaTag: 'another' })
      expect(await store.read((tx) => tx.tables.findAll([table.id], 'none'))).toEqual([renewed])
    })
  })
}
