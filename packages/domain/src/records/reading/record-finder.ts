import type {
  FoundRecord,
  PlacedHit,
  QueryPage,
  QueryPosition,
  RecordQuery,
} from '../../queries/record-query.ts'
import type { Search } from '../../queries/search.ts'
import type { SortValue } from '../../queries/sort-value.ts'
import type { Measured, MeasureKind } from '../../queries/statistics.ts'
import type { Column, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/** A record of a page; `record` is there if the storage has read the whole record together with the page. */
export interface PageRecord extends FoundRecord {
  readonly record?: StoredRecord
}

/** Finds the records of a table that match a query. Deleted records never match. */
export interface RecordFinder {
  /**
   * The records of the page, in the order of the query. With `columns`, a storage may read all records of the page in the
   * same statement, with the cells of these columns alone; if it doesn't, `readFound` reads them.
   */
  find(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
    columns?: readonly Column[],
  ): Promise<readonly PageRecord[]>
  /**
   * As `find`, but only if the page can be found in an index or among a bounded number of records that come first in the
   * order of the query; otherwise undefined.
   */
  findWithinReach(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
    columns?: readonly Column[],
  ): Promise<readonly PageRecord[] | undefined>
  /** The bytes of all cells that the condition tests in the whole table; a cell that it tests twice counts twice. */
  bytesTested(schema: TableSchema, condition: RecordQuery['condition']): Promise<number>
  /** The number of matching records before the position. */
  countBefore(schema: TableSchema, query: RecordQuery, position: QueryPosition): Promise<number>
  /** The number of records that match. */
  count(schema: TableSchema, condition: RecordQuery['condition']): Promise<number>
  /** The number of cells that match the search, in the records that match the condition. */
  countHits(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    search: Search,
  ): Promise<number>
  /** The cells that match the search, by record in the order of the query, then in the order of the searched fields. */
  findHits(
    schema: TableSchema,
    query: RecordQuery,
    search: Search,
    page: HitPage,
  ): Promise<readonly PlacedHit[]>
  /** The ids of users in the cells of the field, each once, at most `most`, in no particular order. */
  userIds(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    field: SchemaField,
    most: number,
  ): Promise<readonly string[]>
  /** The number of matching records, and the measures of their cells in the order of `measures`, read in one pass. */
  measure(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    measures: readonly Measure[],
  ): Promise<{ readonly records: number; readonly measured: readonly Measured[] }>
  /**
   * Groups the matching records by the fields, with the measures of each group. Reads the records once, and once more where
   * different items of lists are counted. Returns at most `grouping.most` groups; when it returns so many, there may be
   * more, and the groups come without measures.
   */
  groups(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    grouping: RecordGrouping,
  ): Promise<readonly FoundGroup[]>
  /** The spans of days of the matching records in a calendar, and the first records that begin on each day. */
  spans(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    calendar: Calendar,
  ): Promise<FoundSpans>
}

/** Days, and the fields of dates that say on which of them records are. */
export interface Calendar {
  readonly start: SchemaField
  readonly end: SchemaField
  /** As `YYYY-MM-DD`; what is before the first or after the last counts as on it. */
  readonly firstDay: string
  readonly lastDay: string
  /** How many records are told of those that begin on one day. */
  readonly perDay: number
}

/** The days of records. */
export interface FoundSpans {
  /** From which day to which, and how many records; in no order. */
  readonly spans: readonly Span[]
  /** The ids of records by the day on which they begin: of each day those that last longest, then the oldest. */
  readonly ids: readonly string[]
}

/** Days on which records are, as `YYYY-MM-DD`, the last one included. */
export interface Span {
  readonly from: string
  readonly to: string
  readonly records: number
}

/** By what records are grouped, and what is measured of each group. */
export interface Grouping {
  /** One at least. */
  readonly fields: readonly SchemaField[]
  readonly measures: readonly Measure[]
  readonly most: number
}

/** A grouping of the records of a table. */
export interface RecordGrouping extends Grouping {
  /** Whether the groups tell their first records, in whose order they are then; else they are in none. */
  readonly withFirsts: boolean
}

/** A group of records that was found. */
export interface FoundGroup {
  /** Of each field, what tells it from other groups: see `groupIdentityOf`. */
  readonly identities: readonly SortValue[]
  /** The id of the first of its records; undefined where that isn't asked for. */
  readonly firstId: string | undefined
  /** How many records it has. */
  readonly records: number
  /** The measures, in the order of those that are asked for; none where as many groups as may be were found. */
  readonly measured: readonly Measured[]
}

/** Which part is asked for of what a search hits. */
export type HitPage = Pick<QueryPage, 'skip' | 'take'>

/** What is measured of the cells of a field. */
export interface Measure {
  readonly field: SchemaField
  readonly kind: MeasureKind
}
