import type {
  PendingConversion,
  PendingField,
} from '@gateleg/domain/calculations/pending/calculation-repository'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { newField, newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every CalculationRepository promises. */
export function calculationRepositoryContract({ store }: OpenedStorage): void {
  const pending = (fieldId: string, tableId: string, until = 5_000_000_000): PendingField => ({
    fieldId,
    tableId,
    after: 0,
    until,
  })
  const schedule = (...fields: PendingField[]) =>
    store.write((tx) => tx.calculations.schedule(fields))
  const listOf = (...tableIds: string[]) => store.read((tx) => tx.calculations.listOf(tableIds))

  describe('every CalculationRepository', () => {
    it('[STORE-38] lists the pending fields of tables by id', async () => {
      const fields = [pending('fldC', 'tbl1'), pending('fldA', 'tbl2'), pending('fldB', 'tbl3')]
      await schedule(...fields)
      await schedule()
      expect(await listOf('tbl1', 'tbl2', 'tbl4')).toEqual([fields[1], fields[0]])
      expect(await listOf()).toEqual([])
    })

    it('[STORE-38] notes how far fields are, and goes back with those that are scheduled again', async () => {
      await schedule(pending('fldA', 'tbl1'), pending('fldB', 'tbl1'), pending('fldC', 'tbl1'))
      const progress = { after: 4_000_000_000, until: 6_000_000_000 }
      await store.write((tx) => tx.calculations.advance(['fldA', 'fldB', 'fldNone'], progress))
      const again = { after: 3_000_000_000, until: 7_000_000_000 }
      await schedule(
        { ...pending('fldB', 'tbl1'), ...again },
        { ...pending('fldC', 'tbl1'), ...again },
      )
      expect(await listOf('tbl1')).toEqual([
        { ...pending('fldA', 'tbl1'), ...progress },
        { ...pending('fldB', 'tbl1'), ...again },
        { ...pending('fldC', 'tbl1'), until: 7_000_000_000 },
      ])
      await schedule(pending('fldB', 'tbl1', 7))
      expect(await listOf('tbl1')).toContainEqual({
        ...pending('fldB', 'tbl1'),
        until: 7_000_000_000,
      })
    })

    it('[STORE-38] forgets fields, and those of a table that is removed for good', async () => {
      const { baseId } = await makeTable(store, ['singleLineText'])
      const table = newTable(baseId)
      await schedule(pending('fldA', 'tbl1'), pending('fldB', 'tbl1'), pending('fldC', table.id))
      await store.write(async (tx) => {
        await tx.calculations.remove(['fldA', 'fldNone'])
        await tx.calculations.remove([])
        await tx.tables.deletePermanently(table)
      })
      expect(await listOf('tbl1', table.id)).toEqual([pending('fldB', 'tbl1')])
    })

    it('[STORE-60] remembers conversions, and which cells were written since they began', async () => {
      const { baseId } = await makeTable(store, ['singleLineText'])
      const table = newTable(baseId)
      const [kept, gone] = [1, 2].map((number): PendingConversion => {
        const source = newField(table, number, 'number', { options: { precision: 2 } })
        return { fieldId: source.id, source, userId: 'usr1' }
      }) as [PendingConversion, PendingConversion]
      const written = (fieldId: string, after: number, until: number) =>
        store.write((tx) => tx.calculations.written(fieldId, { after, until }))
      await store.write(async (tx) => {
        await tx.calculations.scheduleConversion(kept, 9)
        await tx.calculations.scheduleConversion(gone, 9)
        await tx.calculations.noteWritten([kept.fieldId, gone.fieldId], [1, 2, 3, 5_000_000_000])
        await tx.calculations.noteWritten([kept.fieldId], [2, 4])
        await tx.calculations.noteWritten([kept.fieldId], [])
      })
      expect(await listOf(table.id)).toMatchObject([
        { fieldId: kept.fieldId, after: 0, until: 9 },
        { fieldId: gone.fieldId, after: 0, until: 9 },
      ])
      const conversionsOf = () => store.read((tx) => tx.calculations.conversionsOf(table.id))
      expect(await conversionsOf()).toEqual([kept, gone])
      expect([...(await written(kept.fieldId, 1, 4))].toSorted()).toEqual([2, 3, 4])
      await store.write((tx) => tx.calculations.remove([gone.fieldId]))
      expect(await conversionsOf()).toEqual([kept])
      expect(await written(gone.fieldId, 0, 6_000_000_000)).toEqual(new Set())
      expect((await written(kept.fieldId, 0, 6_000_000_000)).size).toBe(5)
      // What is scheduled again has nothing written yet.
      await store.write((tx) => tx.calculations.scheduleConversion(kept, 9))
      expect(await written(kept.fieldId, 0, 6_000_000_000)).toEqual(new Set())
      await store.write(async (tx) => {
        await tx.calculations.noteWritten([kept.fieldId], [1])
        await tx.tables.deletePermanently(table)
      })
      expect(await conversionsOf()).toEqual([])
      expect(await written(kept.fieldId, 0, 9)).toEqual(new Set())
    })
  })
}
