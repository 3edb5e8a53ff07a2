import type { RecordChange } from '@gateleg/domain/records/record-writer'
import type { Column } from '@gateleg/domain/schemas/table-schema'
import { encodeCell } from '../schemas/stored-cells.ts'

/** Records that get the same values, on average, from which on they are changed by one statement. */
const worthGrouping = 50

/** Values that many records get, with the numbers of these records. */
export interface SameValues {
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
  for (const { autoNumber, values } of changes) {
    const encoded = values.map((cell, index) => encodeCell(cell, columns[index]?.type ?? 'TEXT'))
    const key = JSON.stringify(encoded)
    const group = groups.get(key)
    if (group) group.numbers.push(autoNumber)
    else if (groups.size === groupsMax) return undefined
    else groups.set(key, { values: encoded, numbers: [autoNumber] })
  }
  return [...groups.values()]
}
