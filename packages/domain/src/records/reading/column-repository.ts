import type { Cell } from '../../fields/cell.ts'
import type { PhysicalColumn } from '../../schemas/field-repository.ts'
import type { Column, TableSchema } from '../../schemas/table-schema.ts'
import type { NumberRange } from '../stored/number-range.ts'

/**
 * Works on columns of a table as a whole: one statement for a range of its records, see `recordRanges`. Deleted
 * records are changed too, and the versions of all that change grow by one; who changed them last stays.
 */
export interface ColumnRepository {
  /** Whether two living records have the same value in the column. */
  hasRepeats(schema: TableSchema, column: Column): Promise<boolean>
  /** Whether a living record has no value in the column. */
  hasEmpty(schema: TableSchema, column: Column): Promise<boolean>
  /** Bytes that the values of living records take together in the column, as they are stored. */
  bytesOf(schema: TableSchema, column: Column): Promise<number>
  /** Gives the records of the range the value. */
  fill(schema: TableSchema, column: Column, value: Cell, range: NumberRange): Promise<void>
  /** Copies the values of a column into another one of its type, where one of the two has a value. */
  copy(schema: TableSchema, from: Column, to: Column, range: NumberRange): Promise<void>
  /** Counts the records of the range that have a value in the column as changed. */
  touch(schema: TableSchema, column: PhysicalColumn, range: NumberRange): Promise<void>
  /** Empties columns, one at least, in the records of the range that have a value there. */
  empty(schema: TableSchema, columns: readonly PhysicalColumn[], range: NumberRange): Promise<void>
  /**
   * Puts one text for another in the cells of a column of the records of the range, in lists item by
   * item, in one statement; null takes the text away, and a list that has nothing left is empty. Returns
   * the ids of the living records that changed.
   */
  replaceTexts(
    schema: TableSchema,
    column: Column,
    replacements: ReadonlyMap<string, string | null>,
    range: NumberRange,
  ): Promise<readonly string[]>
}
