import { later, type Timestamp } from '../../../../clock.ts'
import { limits } from '../../../../limits.ts'
import type { WriteTx } from '../../../../store.ts'
import type { KeptValues } from '../../../../undo/kept-value-repository.ts'
import { scheduleEmptying } from '../empty-columns.ts'

/** Where values are kept, and when. */
export interface KeepContext {
  readonly tx: WriteTx
  readonly now: Timestamp
}

/**
 * Keeps values for a step of undo, for as long as that can be taken back. Of a table so many stay, those that were kept
 * last: the oldest go, and what is in their columns.
 */
export async function keepValues(
  context: KeepContext,
  kept: Omit<KeptValues, 'expiresTime'>,
): Promise<void> {
  const { tx, now } = context
  const { tableId } = kept
  const others = await tx.keptValues.listOf(tableId)
  const tooMany = Math.max(others.length + 1 - limits.keptValuesPerTable, 0)
  await releaseValues(context, others.slice(0, tooMany))
  await tx.keptValues.add({ ...kept, expiresTime: later(now, limits.undoHours * 60 * 60_000) })
}

/** Forgets what was kept; the background empties the columns that have it. */
export async function releaseValues(
  { tx, now }: KeepContext,
  kept: readonly KeptValues[],
): Promise<void> {
  await tx.keptValues.remove(kept.map(({ id }) => id))
  const withColumn = kept.filter(({ columnName }) => columnName !== undefined)
  for (const tableId of new Set(withColumn.map((one) => one.tableId))) {
    await scheduleEmptying(tx, tableId, now)
  }
}
