import type { Condition } from '../queries/condition.ts'
import type { SortKey } from '../queries/sort-keys.ts'
import type { Measured } from '../queries/statistics.ts'
import type { Grouping } from '../records/reading/record-finder.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import type { ChartRows } from './chart-query.ts'

/** Finds rows of charts. Fields that conditions, keys and measures name are those `inRow`. */
export interface ChartFinder {
  /** Whether no join of the rows makes more than so many. Reads no more of them than that. */
  hasAtMost(rows: ChartRows, most: number): Promise<boolean>
  /**
   * Bytes of the cells of all rows, of each field as often as it is told, which it is of some; of lists roughly. It is
   * computed from what a record says of their lengths: no cell is read.
   */
  bytesOf(rows: ChartRows, looks: ReadonlyMap<SchemaField, number>): Promise<number>
  /**
   * The rows that the condition holds for, in the order of the keys; those that are alike by the numbers of their
   * records, table by table, a record that is missing before all others. Of each row the ids of its records.
   */
  find(
    rows: ChartRows,
    query: { readonly condition: Condition; readonly keys: readonly SortKey[] },
    page: { readonly skip: number; readonly take: number },
  ): Promise<readonly (readonly (string | null)[])[]>
  /**
   * The groups of these rows by the fields, in no order, so many at most; all rows are one group where there are no
   * fields, even if there is no row. Where there are as many, there may be more, and what was measured isn't told.
   */
  groups(
    rows: ChartRows,
    condition: Condition,
    grouping: Grouping,
  ): Promise<readonly FoundChartGroup[]>
}

/** A group of rows. */
export interface FoundChartGroup {
  /** Of each table its first record among the rows of the group; null where they have none. */
  readonly firsts: readonly ({ readonly id: string; readonly autoNumber: number } | null)[]
  /** How many rows it has. */
  readonly records: number
  readonly measured: readonly Measured[]
}
