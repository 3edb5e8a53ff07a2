import type { Measurement } from './benchmark.ts'
import { medianRatio } from './in-turns.ts'
import { median } from './statistics.ts'

/** What one side took and the other, in milliseconds, round by round. */
export interface Times {
  readonly ours: readonly number[]
  readonly handwritten: readonly number[]
}

/** How many times as long ours takes as the handwritten server; without a most it is told for comparison. */
export function compareTimes(name: string, times: Times, ratioMax?: number): Measurement {
  const ratio = medianRatio(times.ours, times.handwritten)
  return {
    name,
    ours: `${median(times.ours).toFixed(1)} ms`,
    other: `${median(times.handwritten).toFixed(1)} ms`,
    ratio,
    ...(ratioMax !== undefined && { target: `<= ${ratioMax}`, isMet: ratio <= ratioMax }),
  }
}
