import { later, type Timestamp } from '../../../clock.ts'
import { limits } from '../../../limits.ts'
import type { WriteTx } from '../../../store.ts'
import type { KeptValues } from '../../../undo/kept-value-repository.ts'
import { scheduleEmptying } from './empty-columns.ts'

/** Where values are kept, and when. */
export interface KeepContext {
  readonly tx: WriteTx
  readonly now: Timestamp
}

/** Keeps values for a step of undo, for as long as that can be taken back. Whoever does so calls `releaseOldest` at its end. */
export async function keepValues(
  { tx, now }: KeepContext,
  kept: Omit<KeptValues, 'expiresTime'>,
): Promise<void> {
  await tx.keptValues.add({ ...kept, expiresTime: later(now, limits.undoHours * 60 * 60_000) })
}

/**
 * Forgets the oldest of what is kept of a table, where it is more than `limits.keptValuesPerTable`. Undo, which needs what is
 * kept and keeps other values itself, does so afterwards.
 */
export async function releaseOldest(context: KeepContext, tableId: string): Promise<void> {
  const all = await context.tx.keptValues.listOf(tableId)
  await releaseValues(context, all.slice(0, Math.max(all.length - limits.keptValuesPerTable, 0)))
}

/** Forgets what was kept; the background empties the columns that have it. */
export async function releaseValues(
  { tx, now }: KeepContext,
  kept: readonly KeptValues[],
): Promise<void> {
  if (kept.length === 0) return
  await tx.keptValues.remove(kept.map(({ id }) => id))
  const withColumn = kept.filter(({ columnName }) => columnName !== undefined)
  for (const tableId of new Set(withColumn.map((one) => one.tableId))) {
    await scheduleEmptying(tx, tableId, now)
  }
}
