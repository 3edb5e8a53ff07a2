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
import type { StoredRecord } from '../stored-record.ts'

/** A record of a page, and all that is read of it where that was read along. */
export interface PageRecord extends FoundRecord {
  readonly record?: StoredRecord
}

/** Finds the living records of a table that a query asks for. */
export interface RecordFinder {
  /**
   * Those of the page, in the order of the query. Where columns are named, a storage may read the records along, with the cells of
   * these alone: all of the page, or none; `readFound` reads what was not.
   */
  find(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
    columns?: readonly Column[],
  ): Promise<readonly PageRecord[]>
  /**
   * The same where it can be told from the records that stand first in the order of the query, a bounded number of them,
   * or from an index; undefined where that is not enough, or can't be done.
   */
  findWithinReach(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
    columns?: readonly Column[],
  ): Promise<readonly PageRecord[] | undefined>
  /** Bytes of the cells that the condition looks at in all records, each counted for every look. */
  bytesTested(schema: TableSchema, condition: RecordQuery['condition']): Promise<number>
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
  /** The users whom cells of the field name, by id, each once and in no order, so many at most. */
  userIds(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    field: SchemaField,
    most: number,
  ): Promise<readonly string[]>
  /** How many there are, and the measures of their cells, in the order of those that are asked for; in one pass. */
  measure(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    measures: readonly Measure[],
  ): Promise<{ readonly records: number; readonly measured: readonly Measured[] }>
  /**
   * The groups of the records by the fields, so many at most, each measured like
   * the whole. Takes one pass, and another for how many different items lists have. Where there are as many, there may
   * be more: what was measured is not told then.
   */
  groups(
    schema: TableSchema,
    condition: RecordQuery['condition'],
    grouping: RecordGrouping,
  ): Promise<readonly FoundGroup[]>
  /** On which days of a calendar the records are, and the first ones of each day on which some begin. */
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

/** Which part of what a search hits. */
export type HitPage = Pick<QueryPage, 'skip' | 'take'>

/** What is measured of the cells of a field. */
export interface Measure {
  readonly field: SchemaField
  readonly kind: MeasureKind
}
