import type { TableIndex } from '@gateleg/domain/indexes/table-index'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every TableIndexRepository promises of what it notes. */
export function tableIndexRepositoryContract({ store, other }: OpenedStorage): void {
  const index = (number: number, settings: Partial<TableIndex> = {}): TableIndex => ({
    ...{ name: `tbl1_i${number}`, tableId: 'tbl1', baseId: 'bse1', key: `[${number}]` },
    ...{
      state: 'wanted',
      definition: '',
      usedTime: '2026-01-01',
      checkedTime: `2026-02-0${number}`,
    },
    ...settings,
  })
  const save = (...indexes: readonly TableIndex[]) =>
    store.write(async ({ tableIndexes }) => {
      for (const one of indexes) await tableIndexes.save(one)
    })

  describe('every TableIndexRepository', () => {
    it('[STORE-260] finds an index as it was saved last, by its name and by its table', async () => {
      const elsewhere = index(3, { tableId: 'tbl2' })
      await save(index(1), index(2), elsewhere)
      const ready = index(1, { state: 'ready', definition: '"Name"', usedTime: '2026-03-01' })
      await save(ready)
      await other.write(async ({ tableIndexes }) => {
        expect(await tableIndexes.find(ready.name)).toEqual(ready)
        expect(await tableIndexes.listOf('tbl1')).toEqual([ready, index(2)])
        await tableIndexes.forget(ready.name)
        expect(await tableIndexes.find(ready.name)).toBeUndefined()
        expect(await tableIndexes.listOf('tbl2')).toEqual([elsewhere])
      })
    })

    it('[STORE-261] lists those that nobody looked at for longest first', async () => {
      await save(index(2), index(3), index(1))
      await store.write(async ({ tableIndexes }) => {
        expect(await tableIndexes.listUnchecked('2026-02-03', 5)).toEqual([index(1), index(2)])
        expect(await tableIndexes.listUnchecked('2026-02-03', 1)).toEqual([index(1)])
      })
    })
  })
}
