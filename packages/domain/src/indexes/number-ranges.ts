/** Records by their numbers, the first and the last of them included. */
export type Numbers = readonly [first: number, last: number]

/** The numbers as few ranges, in their order. */
export function toRanges(numbers: readonly number[]): readonly Numbers[] {
  return mergeRanges(numbers.map((number) => [number, number]))
}

/** The same numbers in ranges that are apart, in their order. */
export function mergeRanges(ranges: readonly Numbers[]): readonly Numbers[] {
  const merged: [number, number][] = []
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = merged.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return merged
}

/** What of the ranges lies up to a number. */
export function upTo(until: number, ranges: readonly Numbers[]): readonly Numbers[] {
  return ranges.flatMap(([first, last]): Numbers[] =>
    first > until ? [] : [[first, Math.min(last, until)]],
  )
}

/** How many numbers are in ranges that are apart. */
export function countNumbers(ranges: readonly Numbers[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

/** The ranges as a text: `3,7-9`. */
export function rangesText(ranges: readonly Numbers[]): string {
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join()
}

/** The ranges of a text that `rangesText` made. */
export function parseRanges(text: string): readonly Numbers[] {
  if (text === '') return []
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.split('-')
    return [Number(first), Number(last)]
  })
}
