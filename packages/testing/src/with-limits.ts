import { limits } from '@gateleg/domain/limits'

type Limits = Record<keyof typeof limits, number>

/** What they are when no work lowers any, and what the work under way lowers, in the order in which it began. */
let usual: Limits | undefined
const lowerings: Partial<Limits>[] = []

/**
 * Runs the work with some limits lowered: reaching them as they are would take long. Only for limits that
 * are read at each call, not for those that are part of an input schema. Of work that goes on at the same time each may end first.
 */
export async function withLimits<T>(lowered: Partial<Limits>, work: () => Promise<T>): Promise<T> {
  const unknown = Object.keys(lowered).find((name) => !(name in limits))
  if (unknown) throw new Error(`There is no limit "${unknown}"`)
  if (lowerings.length === 0) usual = { ...limits }
  // An object of its own, by which it is found again.
  const lowering = { ...lowered }
  lowerings.push(lowering)
  Object.assign(limits, lowered)
  try {
    return await work()
  } finally {
    lowerings.splice(lowerings.indexOf(lowering), 1)
    Object.assign(limits, usual, ...lowerings)
  }
}

/** Limits by which the background goes through so many records at a time, on whichever storage. */
export function recordsPerSlice(count: number) {
  return { recordsPerCalculation: count, recordsPerCalculationOverNetwork: count }
}
