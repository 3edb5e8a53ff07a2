/** Something that has a place among its siblings. */
interface Ordered {
  readonly id: string
  readonly order: number
}

/** By order, ties by id: a total order, whatever the numbers are. */
export function compareOrder(a: Ordered, b: Ordered): number {
  return a.order - b.order || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/**
 * Puts the ids, in their order, at an index of the siblings, which are sorted and hold none of them.
 * Returns the orders that have to be stored, by id: those of the ids alone as long as numbers fit
 * between the neighbours, else also those of the siblings, all of which are numbered anew. Orders that are `taken`, which
 * are sorted, are given to nothing.
 */
export function ordersAt(
  siblings: readonly Ordered[],
  index: number,
  ids: readonly string[],
  taken: readonly number[] = [],
): ReadonlyMap<string, number> {
  const before = siblings[index - 1]?.order
  const after = firstTaken(taken, before, siblings[index]?.order)
  const orders = ids.map((_, place) => orderBetween(before, after, place, ids.length))
  const run = [before ?? Number.NEGATIVE_INFINITY, ...orders, after ?? Number.POSITIVE_INFINITY]
  if (run.every((order, place) => place === 0 || order > (run[place - 1] as number))) {
    return new Map(ids.map((id, place) => [id, orders[place] as number]))
  }
  const sortedIds = siblings.map(({ id }) => id)
  sortedIds.splice(index, 0, ...ids)
  const last = Math.max(0, taken.at(-1) ?? 0)
  return new Map(sortedIds.map((id, place) => [id, last + place + 1]))
}

/** The first order behind `before` that is taken, or `after` where none is up to there. */
function firstTaken(
  taken: readonly number[],
  before = Number.NEGATIVE_INFINITY,
  after?: number,
): number | undefined {
  const first = taken.find((order) => order > before)
  return first !== undefined && first < (after ?? Number.POSITIVE_INFINITY) ? first : after
}

function orderBetween(
  before: number | undefined,
  after: number | undefined,
  place: number,
  count: number,
): number {
  if (after === undefined) return (before ?? 0) + place + 1
  if (before === undefined) return after - count + place
  return before + ((after - before) * (place + 1)) / (count + 1)
}
