import type { Measurement } from './benchmark.ts'
import { medianRatio } from './in-turns.ts'
import { median } from './statistics.ts'

/** How much one side did in a second and the other, round by round. */
export interface Rates {
  readonly ours: readonly number[]
  readonly other: readonly number[]
}

/**
 * How many times as much ours does in the same time; without a least it is told for comparison. `what` is counted, where it
 * isn't calls.
 */
export function compareRates(
  name: string,
  { ours, other }: Rates,
  ratioMin: number | undefined,
  what = '',
): Measurement {
  const ratio = medianRatio(ours, other)
  return {
    name,
    ours: `${Math.round(median(ours))} ${what}/s`,
    other: `${Math.round(median(other))} ${what}/s`,
    ratio,
    ...(ratioMin !== undefined && { target: `>= ${ratioMin}`, isMet: ratio >= ratioMin }),
  }
}
