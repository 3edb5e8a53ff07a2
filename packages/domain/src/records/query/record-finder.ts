import type {
  FoundRecord,
  PlacedHit,
  QueryPage,
  QueryPosition,
  RecordQuery,
} from '../../queries/record-query.ts'
import type { Search } from '../../queries/search.ts'
import type { Measured, MeasureKind } from '../../queries/statistics.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'

/** Finds the living records of a table that a query asks for. */
export interface RecordFinder {
  /** Those of the page, in the order of the query; their cells are read by a RecordReader. */
  find(schema: TableSchema, query: RecordQuery, page: QueryPage): Promise<readonly FoundRecord[]>
  /** How many stand before the position. */
  countBefore(schema: TableSchema, query: RecordQuery, position: QueryPosition): Promise<number>
  /** How many there are. */
  count(schema: TableSchema, condition: RecordQuery['condition']): Promise<number>
  /** In how many cells those that the condition lets through show what is searched. */
  countHits(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    search: Search,
  ): Promise<number>
  /** These cells, in the order of the query and of the fields that are searched. */
  findHits(
    schema: TableSchema,
    query: RecordQuery,
    search: Search,
    page: HitPage,
  ): Promise<readonly PlacedHit[]>
  /** How many there are, and the measures of their cells, in the order of those that are asked for; in one pass. */
  measure(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    measures: readonly Measure[],
  ): Promise<{ readonly records: number; readonly measured: readonly Measured[] }>
}

/** Which part of what a search hits. */
export type HitPage = Pick<QueryPage, 'skip' | 'take'>

/** What is measured of the cells of a field. */
export interface Measure {
  readonly field: SchemaField
  readonly kind: MeasureKind
}
