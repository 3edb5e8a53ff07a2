import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { expect, test } from 'vitest'
import { beforeNewCells, toChangedRows, toRecords, toRows } from './stored-rows.ts'

const count = 20
const list = Array.from({ length: 1_000 }, (_, index) => `${index}`.padStart(200, '0'))
const columns = Array.from({ length: count }, (_, index) => ({
  index,
  name: `c${index}`,
  type: 'JSON' as const,
}))
const schema = { columns: columns.map((column) => ({ column })) } as unknown as TableSchema
const time = '2026-01-01T00:00:00.000Z'

/** What the work makes, and how often it asks whether others should have their turn. */
async function asked<T>(work: (session: { giveWay(): Promise<void> }) => Promise<T>) {
  let times = 0
  const giveWay = async () => {
    times++
  }
  const made = await work({ giveWay })
  return { made, times }
}

test('[STORE-75] a long record is read cell by cell', async () => {
  const values = ['rec1', 1, time, time, 'usr1', '', 1]
  const row = (cell: unknown) => [...values, ...columns.map(() => JSON.stringify(cell))]
  for (const some of [undefined, columns]) {
    const long = await asked((session) => toRecords(session, schema, [row(list)], some))
    expect(long.made).toMatchObject([{ id: 'rec1', cells: columns.map(() => list) }])
    expect(long.times).toBe(count)
    const rows = [row(['a']), row(['b'])]
    const short = await asked((session) => toRecords(session, schema, rows, some))
    expect(short.made.map(({ cells }) => cells[0])).toEqual([['a'], ['b']])
    expect(short.times).toBe(0)
  }
})

test('[STORE-356] rows that hold the same JSON one after another share the cell', async () => {
  const row = (...cells: readonly unknown[]) =>
    ['rec1', 1, time, time, 'usr1', '', 1].concat(
      cells.map((cell) => JSON.stringify(cell)) as never,
    )
  const rows = [row(['a'], ['b']), row(['a'], ['c']), row(['b'], ['c']), row(['a'], ['c'])]
  const { made } = await asked((session) => toRecords(session, schema, rows, columns.slice(0, 2)))
  const [first, second, third, fourth] = made.map(({ cells }) => cells)
  expect(made.map(({ cells }) => cells.slice(0, 2))).toEqual([
    [['a'], ['b']],
    [['a'], ['c']],
    [['b'], ['c']],
    [['a'], ['c']],
  ])
  expect(second?.[0]).toBe(first?.[0])
  expect(third?.[1]).toBe(second?.[1])
  expect(fourth?.[1]).toBe(second?.[1])
  expect(fourth?.[0]).not.toBe(first?.[0])
})

test('[STORE-75] what long changes and new records hold is written in turns', async () => {
  const cells = columns.map(() => list)
  const changed = await asked((session) =>
    toChangedRows(session, columns, [{ autoNumber: 7, values: cells }]),
  )
  expect(changed.made).toEqual([[7, ...cells.map((cell) => JSON.stringify(cell))]])
  expect(changed.times).toBe(count)
  const record = { id: 'rec1', cells }
  const added = await asked((session) => toRows(session, schema, [record, record], beforeNewCells))
  expect(added.made).toHaveLength(2)
  expect(added.times).toBe(2)
  const grouped = await asked((session) =>
    toRows(session, schema, [record, record], beforeNewCells, 2),
  )
  expect(grouped.made).toEqual([added.made.flat()])
  expect(grouped.times).toBe(2)
})
