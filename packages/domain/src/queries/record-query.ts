import type { Condition } from './condition.ts'
import type { RowOrder } from './row-order.ts'
import type { SortKey } from './sort-keys.ts'
import type { SortValue } from './sort-value.ts'

/**
 * Which records of a table are requested, and in which order: by the sort keys, then by the row order, then by their
 * numbers.
 */
export interface RecordQuery {
  readonly condition: Condition
  readonly keys: readonly SortKey[]
  readonly rowOrder?: RowOrder | undefined
}

/** Where a record stands in the order of a query: the values of each key, its place in the row order where there is one, then its number. */
export interface QueryPosition {
  readonly values: readonly SortValue[]
  readonly autoNumber: number
}

/** A record that a query found, and its position. */
export interface FoundRecord extends QueryPosition {
  readonly id: string
}

/** Which part of the result of a query is requested. */
export interface QueryPage {
  /** Only what stands after the position. */
  readonly after?: QueryPosition | undefined
  /** How many of those to leave out. */
  readonly skip: number
  readonly take: number
}

/** A field in which a record shows what is searched, and at which place, from 1, the record stands in its query. */
export interface PlacedHit {
  readonly index: number
  readonly recordId: string
  readonly fieldId: string
}
