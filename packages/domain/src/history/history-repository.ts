import type { Timestamp } from '../clock.ts'
import type { HistoryPlace, RecordHistory } from './history-entry.ts'

/** The table whose history it is. */
export interface HistoryTable {
  readonly id: string
  readonly baseId: string
}

/** Which part of a table's history is asked for. */
export interface HistoryPart {
  /** The number of the record it is about; of all records where it is left out. */
  readonly autoNumber?: number | undefined
  /** Milliseconds since 1970-01-01 UTC: nothing older. */
  readonly sinceMs: number
  /** The newest that is answered, if it is there. */
  readonly from: HistoryPlace
  readonly most: number
}

/** Reads what was changed in records. */
export interface HistoryReader {
  /** A part of the history of the table, the newest first; of one time, that of the record with the greatest number. */
  list(table: HistoryTable, part: HistoryPart): Promise<readonly RecordHistory[]>
}

/** Keeps what was changed in records, of each table beside it. */
export interface HistoryRepository extends HistoryReader {
  /**
   * Notes changes. The first ones of a table make a place for them, which is looked through for what is too old
   * from the time on.
   */
  add(table: HistoryTable, changes: readonly RecordHistory[], trimTime: Timestamp): Promise<void>
  /**
   * Makes the place for changes of a table that has none, whatever is remembered of another table of its id, which is gone
   * for good.
   */
  begin(table: HistoryTable, trimTime: Timestamp): Promise<void>
  /** The table whose history is to be looked through first, if that is due by the time. */
  nextToTrim(by: Timestamp): Promise<HistoryTable | undefined>
  /** Puts the next look at the history of the table off until the time. */
  trimAgainAt(table: HistoryTable, time: Timestamp): Promise<void>
  /** Removes so many changes at most, the oldest first, that are older than a time. Answers whether some are left. */
  removeSome(table: HistoryTable, beforeMs: number, most: number): Promise<boolean>
  /** Removes so many changes at most of the records of the numbers. Answers whether some are left. */
  removeOfRecords(
    table: HistoryTable,
    autoNumbers: readonly number[],
    most: number,
  ): Promise<boolean>
  /** Replaces changes by what is left of them; those that have no changed cell left go. */
  replace(table: HistoryTable, changes: readonly RecordHistory[]): Promise<void>
  /** Removes so many changes at most; with the last one their place goes, too. Answers whether some are left. */
  dropSome(table: HistoryTable, most: number): Promise<boolean>
}
