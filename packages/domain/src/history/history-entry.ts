import type { Cell } from '../fields/cell.ts'
import type { FieldTypeName } from '../fields/field-type-name.ts'
import type { CellValueType } from '../values/value-type.ts'

/** What became of one cell. */
export interface CellChange {
  readonly fieldId: string
  /** What the field was then. */
  readonly name: string
  readonly type: FieldTypeName
  readonly cellValueType: CellValueType
  /** As they are stored: users by their ids. */
  readonly before: Cell | null
  readonly after: Cell | null
  /** Which of them are shown in part, as there was no room for more; absent where both are whole. */
  readonly cut?: readonly ('before' | 'after')[]
  /** Its place among the changes that were noted together, from 0, where some of these are gone; absent where all are there. */
  readonly index?: number
}

/** Where the change of one record stands in the history of its table: none has the place of another. */
export interface HistoryPlace {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly timeMs: number
  readonly autoNumber: number
  /** The version of the record that the change made. */
  readonly version: number
}

/** What one change made of one record. */
export interface RecordHistory extends HistoryPlace {
  readonly recordId: string
  readonly userId: string
  /** One at least, in the order of the fields. */
  readonly changes: readonly CellChange[]
}
