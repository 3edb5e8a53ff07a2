/** What has an id that others can be placed by; one that is new may have none yet. */
interface Item {
  readonly id?: string | undefined
}

/**
 * The items with the inserted ones, all of them and in their order, right after the first item that has the
 * anchor's id; at the end when there is no anchor, or none of the items is it.
 */
export function insertAfter<T extends Item>(
  items: readonly T[],
  inserted: readonly T[],
  anchorId?: string,
): readonly T[] {
  const anchor = anchorId === undefined ? -1 : items.findIndex(({ id }) => id === anchorId)
  const place = anchor === -1 ? items.length : anchor + 1
  return [...items.slice(0, place), ...inserted, ...items.slice(place)]
}
