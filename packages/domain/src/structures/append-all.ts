/**
 * Adds the items at the end of the list. A function that waits is to use it for long lists: there, a loop over a list makes
 * an object for each item.
 */
export function appendAll<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item)
}
