import type { RecordHistory } from '@gateleg/domain/history/history-entry'
import { expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'
import { storedRecords } from '../records/stored-records.ts'

const trimTime = '2026-01-02T00:00:00.000Z'

function changeOf(timeMs: number, autoNumber: number, version = 2): RecordHistory {
  return {
    ...{ timeMs, autoNumber, version, recordId: `rec${autoNumber}`, userId: 'usr1' },
    changes: [
      {
        ...{ fieldId: 'fld1', name: 'Né "\0', type: 'singleLineText', cellValueType: 'string' },
        before: null,
        after: 'a\0\u{1f600}',
      },
      {
        ...{ fieldId: 'fld2', name: 'Tags', type: 'multipleSelect', cellValueType: 'string' },
        before: ['a', 'b'],
        after: ['a'],
        cut: ['before'],
      },
    ],
  }
}

/** Declares what every HistoryRepository promises. */
export function historyRepositoryContract({ store }: OpenedStorage): void {
  const { tableWith } = storedRecords(store)
  const greatest = Number.MAX_SAFE_INTEGER
  const everything = {
    sinceMs: 0,
    from: { timeMs: greatest, autoNumber: greatest, version: greatest },
    most: 1_000,
  }
  const tableIn = async () => {
    const { tableId: id, baseId } = await tableWith(['singleLineText'])
    return { id, baseId }
  }
  const changes = [changeOf(10, 2), changeOf(20, 1), changeOf(20, 2, 3), changeOf(20, 2, 4)]
  const newestFirst = changes.toReversed()
  const tableWithHistory = async () => {
    const table = await tableIn()
    await store.write(async ({ history }) => {
      await history.add(table, changes.slice(0, 1), trimTime)
      await history.add(table, changes.slice(1), trimTime)
    })
    return table
  }

  it('[STORE-191] lists what was changed, the newest first', async () => {
    const table = await tableWithHistory()
    const list = (part: object = {}) =>
      store.read(({ history }) => history.list(table, { ...everything, ...part }))
    expect(await list()).toEqual(newestFirst)
    expect(await list({ most: 2 })).toEqual(newestFirst.slice(0, 2))
    expect(await list({ sinceMs: 11 })).toEqual(newestFirst.slice(0, 3))
    const from = { timeMs: 20, autoNumber: 2, version: 3 }
    expect(await list({ from })).toEqual(newestFirst.slice(1))
    expect(await list({ from, autoNumber: 2 })).toEqual([newestFirst[1], newestFirst[3]])
    expect(await list({ autoNumber: 3 })).toEqual([])
  })

  it('[STORE-191] keeps many changes at once', async () => {
    const table = await tableIn()
    const many = Array.from({ length: 700 }, (_, index) => changeOf(index, index))
    await store.write(({ history }) => history.add(table, many, trimTime))
    const found = await store.read(({ history }) => history.list(table, everything))
    expect(found).toEqual(many.toReversed())
  })

  it('[STORE-191] has nothing of a table of which nothing was noted, or only by what was undone', async () => {
    const table = await tableIn()
    const failing = store.write(async ({ history }) => {
      await history.add(table, changes, trimTime)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    const list = () => store.read(({ history }) => history.list(table, everything))
    expect(await list()).toEqual([])
    await store.write(({ history }) => history.add(table, changes, trimTime))
    expect(await list()).toEqual(newestFirst)
  })

  it('[STORE-192] removes what is too old, so much at once', async () => {
    const table = await tableWithHistory()
    const remove = (beforeMs: number, most: number) =>
      store.write(({ history }) => history.removeSome(table, beforeMs, most))
    const left = () => store.read(({ history }) => history.list(table, everything))
    expect(await remove(10, 10)).toBe(false)
    expect(await left()).toHaveLength(4)
    expect(await remove(21, 1)).toBe(true)
    expect(await left()).toEqual(newestFirst.slice(0, 3))
    expect(await remove(21, 4)).toBe(false)
    expect(await left()).toEqual([])
  })

  it('[STORE-192] drops the place with what is left', async () => {
    const table = await tableWithHistory()
    const other = await tableWithHistory()
    const drop = () => store.write(({ history }) => history.dropSome(table, 3))
    while (await drop());
    expect(await drop()).toBe(false)
    const found = await store.read(({ history }) => history.list(other, everything))
    expect(found).toHaveLength(4)
    const due = await store.write(({ history }) => history.nextToTrim(trimTime))
    expect(due?.id).not.toBe(table.id)
  })

  it('[STORE-191] begins again with a table whose id another one had', async () => {
    const table = await tableWithHistory()
    while (await store.write(({ history }) => history.dropSome(table, 10)));
    await store.write(({ history }) => history.begin(table, trimTime))
    const left = () => store.read(({ history }) => history.list(table, everything))
    expect(await left()).toEqual([])
    await store.write(({ history }) => history.add(table, changes, trimTime))
    expect(await left()).toEqual(newestFirst)
  })

  it('[STORE-192] tells which table is to be looked through first', async () => {
    const table = await tableWithHistory()
    const next = (by: string) => store.write(({ history }) => history.nextToTrim(by))
    expect(await next('2026-01-01T23:59:59.999Z')).toBeUndefined()
    expect(await next(trimTime)).toEqual(table)
    await store.write(({ history }) => history.trimAgainAt(table, '2026-01-03T00:00:00.000Z'))
    expect(await next(trimTime)).toBeUndefined()
  })

  it('[STORE-291] removes the changes of records, so many at once, and replaces others by what is left of them', async () => {
    const table = await tableWithHistory()
    const left = () => store.read(({ history }) => history.list(table, everything))
    const remove = (numbers: readonly number[], most: number) =>
      store.write(({ history }) => history.removeOfRecords(table, numbers, most))
    expect(await remove([], 1)).toBe(false)
    expect(await remove([2, 3], 1)).toBe(true)
    expect(await left()).toEqual(newestFirst.slice(0, 3))
    const [newest = changeOf(0, 0), next = changeOf(0, 0)] = newestFirst
    const cut = { ...newest, changes: newest.changes.map((one) => ({ ...one, name: 'Cut' })) }
    await store.write(({ history }) => history.replace(table, [cut, { ...next, changes: [] }]))
    expect(await left()).toEqual([cut, newestFirst[2]])
    expect(await remove([2], 9)).toBe(false)
    expect(await left()).toEqual(newestFirst.slice(2, 3))
    const other = await tableIn()
    const nothing = store.write(async ({ history }) => {
      await history.replace(other, [cut])
      return history.removeOfRecords(other, [2], 9)
    })
    expect(await nothing).toBe(false)
  })
}
