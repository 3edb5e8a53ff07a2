import type { RecordQuery } from '../queries/record-query.ts'
import type { RowOrder } from '../queries/row-order.ts'
import type { TableSchema } from '../schemas/table-schema.ts'

/** Where a record stands in a row order; those of one position by their numbers. */
export interface RowPlace {
  readonly autoNumber: number
  readonly position: number
}

/** What is noted of the place of a record. */
export interface NotedPlace {
  readonly position: number
  /** The version of the view with which somebody moved the record; 0 for never. */
  readonly movedVersion: number
}

/** Records that follow one another in an order: their numbers, as a storage hands them from one statement to the next. */
export type OrderPart = string

/** A step of noting the places of all records of a table: what a storage hands from one transaction to the next. */
export interface OrderStep {
  readonly ofStorage: unknown
}

/** Reads row orders. */
export interface RowOrderReader {
  /** Whether there is an order of the id. */
  exists(baseId: string, orderId: string): Promise<boolean>
  /** What is noted of those of the records of which something is, by number. */
  notedOf(
    baseId: string,
    orderId: string,
    autoNumbers: readonly number[],
  ): Promise<ReadonlyMap<number, NotedPlace>>
  /** Whether every place that is noted is the one that the record has anyway: its number. */
  isByNumber(baseId: string, orderId: string): Promise<boolean>
  /** The records that stand next to a place on one side of it, the nearest first; deleted ones, too. */
  near(
    schema: TableSchema,
    order: RowOrder,
    place: RowPlace,
    side: 'before' | 'after',
    most: number,
  ): Promise<readonly RowPlace[]>
  /** All records of the table, deleted ones too, as they are ordered now, in parts of so many. */
  sorted(
    schema: TableSchema,
    order: Pick<RecordQuery, 'keys' | 'rowOrder'>,
    perPart: number,
  ): Promise<readonly OrderPart[]>
  /**
   * The steps in which the places of the same records are noted. Each is so short that it may be a transaction of its own between
   * those of others, or holds up nobody. All notes are of one moment, which is this one or comes later.
   */
  steps(
    schema: TableSchema,
    order: Pick<RecordQuery, 'keys' | 'rowOrder'>,
  ): Promise<readonly OrderStep[]>
}

/** Keeps row orders, each beside the table whose records it orders. */
export interface RowOrderRepository extends RowOrderReader {
  /** Makes an order in which no place is noted. */
  create(baseId: string, orderId: string): Promise<void>
  /** Makes an order of so many records at most, of which nothing is read before it is finished. */
  begin(baseId: string, orderId: string, records: number): Promise<void>
  /** Takes one of the steps; all are taken in their sequence, in an order that was begun. */
  take(baseId: string, orderId: string, step: OrderStep): Promise<void>
  /** Makes an order that was begun ready to be read by place. */
  finish(baseId: string, orderId: string): Promise<void>
  /** Notes the places of records that have none yet: the whole numbers that follow the one given. */
  append(baseId: string, orderId: string, part: OrderPart, after: number): Promise<void>
  /** Notes where records stand that somebody moved, and with which version of the view. */
  move(
    baseId: string,
    orderId: string,
    places: readonly RowPlace[],
    movedVersion: number,
  ): Promise<void>
  /** Notes where records stand that nobody moved now. */
  renumber(baseId: string, orderId: string, places: readonly RowPlace[]): Promise<void>
  /** Removes so many places at most, or the whole order where these are all. Answers whether some are left. */
  removeSome(baseId: string, orderId: string, most: number): Promise<boolean>
}
