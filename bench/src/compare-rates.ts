import type { Measurement } from './benchmark.ts'
import { medianRatio } from './in-turns.ts'
import { median } from './statistics.ts'

/** How much one side did in a second and the other, round by round. */
export interface Rates {
  readonly ours: readonly number[]
  readonly other: readonly number[]
}

/** How many times as much ours does in the same time; `what` is counted, where it isn't calls. */
export function compareRates(
  name: string,
  { ours, other }: Rates,
  ratioMin: number,
  what = '',
): Measurement {
  const ratio = medianRatio(ours, other)
  return {
    name,
    ours: `${Math.round(median(ours))} ${what}/s`,
    other: `${Math.round(median(other))} ${what}/s`,
    ratio,
    target: `>= ${ratioMin}`,
    isMet: ratio >= ratioMin,
  }
}
