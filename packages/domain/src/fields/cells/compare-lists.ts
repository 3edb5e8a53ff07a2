/** Orders two lists by their first items, then by the next, ...; of two that begin alike the shorter is first. */
export function compareLists<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (x: T, y: T) => number,
): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const order = compare(a[i] as T, b[i] as T)
    if (order !== 0) return order
  }
  return a.length - b.length
}
