import type { ReadTx } from '../../store.ts'
import type { FieldOutput } from '../field-output.ts'

/** Fields of a table as callers see them, with how much of those that are pending is computed. */
export async function withProgress<View extends FieldOutput>(
  tx: Pick<ReadTx, 'calculations'>,
  tableId: string,
  views: readonly View[],
): Promise<View[]> {
  if (!views.some(({ isPending }) => isPending)) return [...views]
  const pending = await tx.calculations.listOf([tableId])
  const byId = new Map(pending.map((one) => [one.fieldId, one]))
  return views.map((view) => {
    const { after, until } = byId.get(view.id) ?? {}
    if (after === undefined || !until) return view
    return { ...view, progress: toShare(after, until) }
  })
}

/** The share that is done, in hundredths. Cut off, not rounded: what isn't done whole is never 1. */
function toShare(after: number, until: number): number {
  return Math.min(100, Math.floor((after * 100) / until)) / 100
}
