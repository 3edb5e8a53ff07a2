import type { Condition } from '../queries/condition.ts'
import type { StatisticName } from '../queries/statistics.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { JoinType } from './saved-query.ts'

/** A field of one of the tables of a chart. */
export interface ChartField {
  /** As its table has it. */
  readonly own: SchemaField
  /** Which of the tables that is. */
  readonly table: number
  /** As the rows of the chart have it, whichever tables they come from. */
  readonly inRow: SchemaField
}

/** How a table is joined with those before it: two fields that must be alike. */
export interface ChartJoin {
  readonly type: JoinType
  /** A field of a table before it; where both have dates, days are compared by the clocks of this one. */
  readonly earlier: ChartField
  /** A field of the table itself. */
  readonly own: ChartField
}

/** The rows that a chart is about: the living records of a table, or what is made of those of several by joins. */
export interface ChartRows {
  /** The first one, then one for each join. */
  readonly tables: readonly TableSchema[]
  readonly joins: readonly ChartJoin[]
  /** The fields that the query goes by; `inRow.column.index` is the place of each here. */
  readonly fields: readonly ChartField[]
}

/** A statistic that a chart shows. */
export interface ChartStatistic {
  readonly field: ChartField
  readonly statistic: StatisticName
}

/** By what the rows of an answer are ordered. */
export type ChartOrder = { readonly isDescending: boolean } & (
  | { readonly field: ChartField }
  /** The place of the statistic among those of the query. */
  | { readonly statistic: number }
)

/** A column of an answer. */
export interface ChartColumn {
  readonly name: string
  readonly column: string
  readonly field: Pick<ChartField, 'own' | 'table'>
  /** The place of the statistic among those of the query; undefined for a column that shows the field itself. */
  readonly statistic: number | undefined
}

/** What a chart asks, of the fields that there are now. */
export interface ChartQuery {
  readonly rows: ChartRows
  /** What must hold of a row, of its fields as rows have them. */
  readonly condition: Condition
  readonly groupBy: readonly ChartField[]
  readonly statistics: readonly ChartStatistic[]
  readonly order: readonly ChartOrder[]
  readonly columns: readonly ChartColumn[]
  readonly limit: number
  readonly offset: number
}

/** Whether a row of the answer stands for many rows: those of a group, or all of them. */
export function isSummary({
  groupBy,
  statistics,
}: Pick<ChartQuery, 'groupBy' | 'statistics'>): boolean {
  return groupBy.length > 0 || statistics.length > 0
}

/** One row of the answer to a chart, before it is shown. */
export interface FoundRow {
  /** Of each table the id of its record in the row, of a group that of its first record; null where it has none. */
  readonly recordIds: readonly (string | null)[]
  /** The values of the statistics, in their order. */
  readonly statistics: readonly (number | string | null)[]
}
