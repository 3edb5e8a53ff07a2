/** The value in the middle of the sorted values. */
export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** The smallest value that at least so many percent of the values don't exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]
  if (value === undefined) throw new Error('There is no percentile of nothing')
  return value
}
