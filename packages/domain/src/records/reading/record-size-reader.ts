import type { TableSchema } from '../../schemas/table-schema.ts'
import type { NumberRange } from '../stored/number-range.ts'

/** Where records are looked for, and where that ends: at so many, or at so many bytes. */
export interface RangeEnd {
  /** The number of the record before. */
  readonly after: number
  readonly records: number
  readonly bytes: number
  /** Where it needn't be as many as there are: so many will do, which a storage may find in less time. */
  readonly enough?: number
  /** Whether deleted records count, too; they don't when this is left out. */
  readonly withDeleted?: boolean
}

/** Records that follow one another. */
export interface SizedRange extends NumberRange {
  /** How many there are, one at least. */
  readonly count: number
  readonly bytes: number
  /** Whether no record comes after them; it may be true though this is false. */
  readonly isLast: boolean
}

/** The table whose records are measured. */
export type MeasuredTable = Pick<TableSchema, 'baseId' | 'physicalName'>

/**
 * How much records take as they are stored: where one cell of them changes, a storage may write all of a record
 * anew, with what is left of fields that were deleted or converted.
 */
export interface RecordSizeReader {
  /**
   * The next records of the table, as far as the end says; one at least, however long it is. Undefined when there
   * is none.
   */
  nextRange(table: MeasuredTable, end: RangeEnd): Promise<SizedRange | undefined>
  /** What those of the records take together that the table has, deleted ones too. */
  bytesOf(table: MeasuredTable, recordIds: readonly string[]): Promise<number>
}
