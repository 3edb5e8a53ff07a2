import type { RecordChange } from '@gateleg/domain/records/record-writer'
import type { Column } from '@gateleg/domain/schemas/table-schema'
import { encodeCell } from '../record-tables/stored-cells.ts'

/** Records that get the same values, on average, from which on they are changed by one statement. */
const worthGrouping = 50

/** Values that many records get, with the numbers of these records. */
interface SameValues {
  readonly values: readonly unknown[]
  readonly numbers: number[]
}

/** Groups changes that give many records the same values, such as all records that show one linked record. */
export function groupSame(
  columns: readonly Column[],
  changes: readonly RecordChange[],
): readonly SameValues[] | undefined {
  const groupsMax = Math.floor(changes.length / worthGrouping)
  if (groupsMax === 0) return undefined
  const groups = new Map<string, SameValues>()
  let last: { readonly values: RecordChange['values']; readonly numbers: number[] } | undefined
  for (const { autoNumber, values } of changes) {
    if (last?.values === values) {
      last.numbers.push(autoNumber)
      continue
    }
    const encoded = values.map((cell, index) => encodeCell(cell, columns[index]?.type ?? 'TEXT'))
    const key = JSON.stringify(encoded)
    const group = groups.get(key) ?? { values: encoded, numbers: [] }
    if (group.numbers.length === 0 && groups.size === groupsMax) return undefined
    groups.set(key, group)
    group.numbers.push(autoNumber)
    last = { values, numbers: group.numbers }
  }
  return [...groups.values()]
}

/** The least and the greatest number of many changes where these are most of the numbers between. */
export function toEnds(
  changes: readonly RecordChange[],
): readonly [first: number, last: number] | undefined {
  if (changes.length < worthGrouping) return undefined
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { autoNumber } of changes) {
    if (autoNumber < first) first = autoNumber
    if (autoNumber > last) last = autoNumber
  }
  return last - first < changes.length * 2 ? [first, last] : undefined
}

/**
 * The first and the last of numbers that follow one another, as those of records do that were created together: a
 * range takes half as long as a list. Undefined where these are too few for a statement each.
 */
export function toRuns(
  numbers: readonly number[],
): readonly (readonly [first: number, last: number])[] | undefined {
  const runsMax = Math.floor(numbers.length / worthGrouping)
  const runs: [number, number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && number === run[1] + 1) run[1] = number
    else if (runs.length === runsMax) return undefined
    else runs.push([number, number])
  }
  return runs
}
