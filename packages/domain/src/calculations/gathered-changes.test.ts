import { expect, test } from 'vitest'
import type { Column, TableSchema } from '../schemas/table-schema.ts'
import type { WriteTx } from '../store.ts'
import { GatheredChanges } from './gathered-changes.ts'

const columns = [{ index: 0, name: 'a', type: 'TEXT' }] as const satisfies readonly Column[]

/** Gathers changes, and tells how many there were whenever some were stored. */
function gather(): { readonly gathered: GatheredChanges; readonly stored: number[] } {
  const stored: number[] = []
  const setCells = async (_: unknown, __: unknown, changes: readonly unknown[]) => {
    stored.push(changes.length)
  }
  const tx = { recordWriter: { setCells } } as unknown as WriteTx
  return { gathered: new GatheredChanges(tx, {} as TableSchema), stored }
}

const changes = (count: number, bytes = 10) =>
  Array.from({ length: count }, (_, n) => ({ autoNumber: n + 1, bytes, values: ['x'] }))

test('[CALC-50] what was read batch by batch is stored at once, up to so many records', async () => {
  const { gathered, stored } = gather()
  for (let batch = 0; batch < 7; batch++) await gathered.add(columns, changes(1_000), 1_000)
  expect(stored).toEqual([5_000])
  await gathered.store()
  await gathered.store()
  expect(stored).toEqual([5_000, 2_000])
})

test('[CALC-50] and up to so many bytes, of what there was and of what comes', async () => {
  const { gathered, stored } = gather()
  await gathered.add(columns, changes(1, 600_000), 10)
  await gathered.add(columns, changes(2, 300_000), 10)
  expect(stored).toEqual([1])
  await gathered.add(columns, changes(3), 600_000)
  expect(stored).toEqual([1, 2])
  await gathered.store()
  expect(stored).toEqual([1, 2, 3])
})

test('[CALC-50] changes of other columns are stored by themselves', async () => {
  const { gathered, stored } = gather()
  await gathered.add(columns, changes(1), 1)
  await gathered.add([{ index: 1, name: 'b', type: 'TEXT' }], changes(2), 1)
  await gathered.store()
  expect(stored).toEqual([1, 2])
})
