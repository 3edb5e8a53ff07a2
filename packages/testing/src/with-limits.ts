import { limits } from '@gateleg/domain/limits'

type Limits = Record<keyof typeof limits, number>

/**
 * Runs the work with some limits lowered: reaching them as they are would take long. Only for limits that
 * are read at each call, not for those that are part of an input schema.
 */
export async function withLimits<T>(lowered: Partial<Limits>, work: () => Promise<T>): Promise<T> {
  const before = { ...limits }
  Object.assign(limits, lowered)
  try {
    return await work()
  } finally {
    Object.assign(limits, before)
  }
}

/** Limits by which the background goes through so many records at a time, on whichever storage. */
export function recordsPerSlice(count: number) {
  return { recordsPerCalculation: count, recordsPerCalculationOverNetwork: count }
}
