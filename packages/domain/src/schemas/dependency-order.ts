/**
 * Items with all that they depend on, each once and after what it depends on. Where items depend on one
 * another in a circle, one of them comes first. Looks at each item once, and on a stack of its own: what
 * depends on one another may lead through many tables, and there can be very many ways through it.
 */
export function dependencyOrder<T>(
  items: Iterable<T>,
  dependenciesOf: (item: T) => Iterable<T>,
): readonly T[] {
  const seen = new Set<T>()
  const ordered: T[] = []
  for (const first of items) {
    if (seen.has(first)) continue
    seen.add(first)
    const path = [{ item: first, left: dependenciesOf(first)[Symbol.iterator]() }]
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const { value, done } = last.left.next()
      if (done) {
        ordered.push(last.item)
        path.pop()
      } else if (!seen.has(value)) {
        seen.add(value)
        path.push({ item: value, left: dependenciesOf(value)[Symbol.iterator]() })
      }
    }
  }
  return ordered
}
