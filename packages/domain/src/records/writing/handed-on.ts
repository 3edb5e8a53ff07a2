import type { Cell } from '../../fields/cell.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { isSameCell } from '../stored/is-same-cell.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/**
 * The numbers of the records whose value of a unique field another one of the same write takes over. A
 * storage compares each record with the others as it changes it, and would refuse those; none, where the
 * table has no unique field.
 */
export async function handedOn(
  tx: ReadTx,
  schema: TableSchema,
  before: readonly StoredRecord[],
  after: readonly StoredRecord[],
): Promise<readonly number[]> {
  const numbers = new Set<number>()
  if (after.length < 2) return []
  for (const { field, column } of schema.columns) {
    if (!field.unique) continue
    const taken = new Set<Cell>()
    const left: { readonly value: Cell; readonly autoNumber: number }[] = []
    after.forEach(({ autoNumber, cells }, index) => {
      const [old, now] = [before[index]?.cells[column.index] ?? null, cells[column.index] ?? null]
      if (isSameCell(old, now)) return
      if (now !== null) taken.add(now)
      if (old !== null) left.push({ value: old, autoNumber })
    })
    for (const { value, autoNumber } of left) if (taken.has(value)) numbers.add(autoNumber)
    await tx.giveWay()
  }
  return [...numbers]
}
