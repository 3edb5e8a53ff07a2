/** Up to this many items each is compared with each, which needs no memory. */
const comparedEachAtMost = 16

/** Whether no item of the list occurs twice. */
export function isUnique(items: readonly unknown[]): boolean {
  if (items.length > comparedEachAtMost) return new Set(items).size === items.length
  for (let i = 1; i < items.length; i++) {
    if (items.indexOf(items[i]) !== i) return false
  }
  return true
}
