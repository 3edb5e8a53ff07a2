import { type Import, noProgress } from '@gateleg/domain/imports/import'
import { expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const time = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`

/** Declares what every ImportRepository promises. */
export function importRepositoryContract({ store }: OpenedStorage): void {
  const one: Import = {
    id: 'imp1',
    baseId: 'bse1',
    tableId: null,
    fieldIds: ['fld1', null],
    state: 'arriving',
    progress: noProgress,
    createdBy: 'usr1',
    createdTime: time(1),
    expiresTime: time(5),
  }
  const rows = (line: number) => [{ line, cells: ['é "', ''] }]
  const pieces = (...numbers: readonly number[]) =>
    store.write(async (tx) => {
      for (const number of numbers) {
        await tx.imports.savePiece({ importId: 'imp1', number, rows: rows(number) })
      }
    })
  const next = () => store.write((tx) => tx.imports.nextPiece('imp1'))

  it('[STORE-110] keeps an import, and what becomes of it', async () => {
    await store.write((tx) => tx.imports.save(one))
    const find = (id: string) => store.read((tx) => tx.imports.find(id))
    expect(await find('imp1')).toEqual(one)
    const later: Import = {
      ...one,
      tableId: 'tbl1',
      state: 'running',
      progress: { ...noProgress, rowsRead: 3, issues: [{ line: 2, field: 'F', message: 'm' }] },
    }
    await store.write((tx) => tx.imports.save(later))
    expect(await find('imp1')).toEqual(later)
    expect(await find('imp2')).toBeUndefined()
  })

  it('[STORE-110] counts the imports of a base that have not ended, nor expired', async () => {
    await store.write(async (tx) => {
      await tx.imports.save(one)
      await tx.imports.save({ ...one, id: 'imp2', state: 'running' })
      await tx.imports.save({ ...one, id: 'imp3', state: 'done' })
      await tx.imports.save({ ...one, id: 'imp4', baseId: 'bse2' })
      await tx.imports.save({ ...one, id: 'imp5', expiresTime: time(2) })
    })
    expect(await store.read((tx) => tx.imports.countOpen('bse1', time(2)))).toBe(2)
    expect(await store.write((tx) => tx.imports.countOpenHeld('bse1', time(2)))).toBe(2)
  })

  it('[STORE-460] counts an import whose rows are written however long that takes, and keeps its rows', async () => {
    await pieces(0)
    await store.write((tx) => tx.imports.save({ ...one, state: 'running' }))
    expect(await store.read((tx) => tx.imports.countOpen('bse1', time(6)))).toBe(1)
    expect(await store.write((tx) => tx.imports.deleteExpired(time(6), 2))).toBe(false)
    expect((await next())?.number).toBe(0)
    await store.write((tx) => tx.imports.save({ ...one, state: 'done' }))
    expect(await store.read((tx) => tx.imports.countOpen('bse1', time(2)))).toBe(0)
    expect(await store.write((tx) => tx.imports.deleteExpired(time(6), 2))).toBe(true)
  })

  it('[STORE-111] hands out pieces in their order, as they were saved last', async () => {
    await pieces(2, 0, 10)
    expect(await next()).toEqual({ importId: 'imp1', number: 0, rows: rows(0) })
    await store.write((tx) => tx.imports.savePiece({ importId: 'imp1', number: 0, rows: rows(9) }))
    expect((await next())?.rows).toEqual(rows(9))
    await store.write((tx) => tx.imports.removePiece('imp1', 0))
    expect((await next())?.number).toBe(2)
    await store.write((tx) => tx.imports.removePiece('imp1', 2))
    expect((await next())?.number).toBe(10)
    expect(await store.write((tx) => tx.imports.nextPiece('imp2'))).toBeUndefined()
  })

  it('[STORE-112] forgets an import that expired, so many pieces at a time', async () => {
    await pieces(0, 1, 2)
    await store.write((tx) => tx.imports.save(one))
    const sweep = (minute: number) => store.write((tx) => tx.imports.deleteExpired(time(minute), 2))
    expect(await sweep(5)).toBe(false)
    expect(await sweep(6)).toBe(true)
    expect((await next())?.number).toBe(2)
    expect(await sweep(6)).toBe(true)
    expect(await next()).toBeUndefined()
    expect(await store.read((tx) => tx.imports.find('imp1'))).toBeUndefined()
    expect(await sweep(6)).toBe(false)
  })
}
