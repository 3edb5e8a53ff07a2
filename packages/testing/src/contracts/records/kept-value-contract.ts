import type { KeptValues } from '@gateleg/domain/undo/kept-value-repository'
import { expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every KeptValueRepository promises. */
export function keptValueContract({ store }: OpenedStorage): void {
  const kept = (id: string, more: Partial<KeptValues> = {}): KeptValues => ({
    ...{ id, tableId: 'tbl1', fieldId: 'fld1', columnName: undefined, counted: undefined },
    ...{ expiresTime: '2026-01-02T00:00:00.000Z', ...more },
  })
  const add = (...all: readonly KeptValues[]) =>
    store.write(async (tx) => {
      for (const one of all) await tx.keptValues.add(one)
    })
  const ids = (all: readonly KeptValues[]) => all.map(({ id }) => id)

  it('[STORE-353] finds what is kept by its id, its table and when it expires', async () => {
    const column = kept('c', { columnName: '__old_1', counted: 0 })
    const sooner = kept('b', { expiresTime: '2026-01-01T00:00:00.000Z' })
    const other = kept('a', { tableId: 'tbl2' })
    await add(column, sooner, other)
    await store.write(async ({ keptValues }) => {
      expect(await keptValues.find('c')).toEqual(column)
      expect(await keptValues.find('d')).toBeUndefined()
      expect(await keptValues.listOf('tbl1')).toEqual([sooner, column])
      expect(ids(await keptValues.listExpired('2026-01-02T00:00:00.000Z', 9))).toEqual(['b'])
      expect(ids(await keptValues.listExpired('2026-01-03T00:00:00.000Z', 2))).toEqual(['b', 'a'])
      await keptValues.noteCounted('c', 7)
      expect(await keptValues.find('c')).toEqual({ ...column, counted: 7 })
      await keptValues.noteCounted('c', undefined)
      expect(await keptValues.find('c')).toEqual({ ...column, counted: undefined })
    })
  })

  it('[STORE-353] keeps parts by their numbers, and forgets them with what they are of', async () => {
    await add(kept('x'), kept('y'))
    await store.write(async ({ keptValues }) => {
      await keptValues.putPart('x', 0, 'first')
      await keptValues.putPart('x', 1, 'second')
      await keptValues.putPart('y', 0, 'other')
      await keptValues.putPart('x', 0, 'again')
      expect(await keptValues.partOf('x', 0)).toBe('again')
      expect(await keptValues.partOf('x', 1)).toBe('second')
      expect(await keptValues.partOf('x', 2)).toBeUndefined()
      await keptValues.remove(['x'])
      await keptValues.remove([])
      expect(await keptValues.partOf('x', 1)).toBeUndefined()
      expect(await keptValues.find('x')).toBeUndefined()
      expect(await keptValues.partOf('y', 0)).toBe('other')
    })
  })
}
