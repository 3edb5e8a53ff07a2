import { expect } from 'vitest'

/**
 * Fails unless `compare` orders the three values totally: each pair is either in order, in the
 * opposite order or equal, both ways round alike, and what comes before something before a third
 * comes before the third.
 */
export function assertOrderIsTotal<T>(
  compare: (a: T, b: T) => number,
  values: readonly [T, T, T],
): void {
  for (const a of values) {
    expect(compare(a, a)).toBe(0)
    for (const b of values) {
      expect(compare(a, b)).not.toBeNaN()
      expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0)
      for (const c of values) {
        const isChain = compare(a, b) <= 0 && compare(b, c) <= 0
        if (isChain) expect(compare(a, c)).toBeLessThanOrEqual(0)
      }
    }
  }
}
