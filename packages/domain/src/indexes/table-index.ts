import type { Timestamp } from '../clock.ts'

/** What a column of an index holds of the cells of a field. */
export interface IndexPart {
  readonly fieldId: string
  /** What filters compare, or what orders records where that is something else: so many characters of it. */
  readonly kind: 'value' | 'sort'
  readonly length: number
  readonly isDescending: boolean
}

/**
 * An index that the background makes because people ask for what it helps with. `wanted` until it is there, `unwanted`
 * until it is gone; that of searches is `begun` in between, from when on changes of records are noted.
 */
export interface TableIndex {
  /** Its physical name, which follows from the table and the key. */
  readonly name: string
  readonly tableId: string
  readonly baseId: string
  /** The parts, as a text that tells it from the others of its table. */
  readonly key: string
  readonly state: 'wanted' | 'begun' | 'ready' | 'unwanted'
  /** What was said to the storage when it was made; empty before. */
  readonly definition: string
  readonly usedTime: Timestamp
  /** When the background last looked whether it is still as it should be. */
  readonly checkedTime: Timestamp
}

/** How often queries asked for what an index would help with. */
export interface IndexDemand {
  readonly tableId: string
  readonly baseId: string
  readonly key: string
}

/** The text of the parts of an index. */
export function toIndexKey(parts: readonly IndexPart[]): string {
  return JSON.stringify(
    parts.map(({ fieldId, kind, length, isDescending }) => [fieldId, kind, length, isDescending]),
  )
}

/** The parts of an index, from the text that `toIndexKey` made. */
export function fromIndexKey(key: string): readonly IndexPart[] {
  const parts: [string, IndexPart['kind'], number, boolean][] = JSON.parse(key)
  return parts.map(([fieldId, kind, length, isDescending]) => ({
    fieldId,
    kind,
    length,
    isDescending,
  }))
}
