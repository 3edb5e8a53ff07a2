import type { Timestamp } from '../clock.ts'

/** A table that has had fields of files, and the columns of all of them, those of deleted fields too. */
export interface FileTable {
  readonly id: string
  readonly baseId: string
  readonly physicalName: string
  readonly columnNames: readonly string[]
}

/** Some tables in the order of their ids. */
export interface TablePage {
  /** Those of them that have had fields of files. */
  readonly tables: readonly FileTable[]
  /** The id of the last one that was looked at; undefined when there was none. */
  readonly last: string | undefined
}

/**
 * Finds which files cells have, wherever these are: in living tables and in deleted ones, of living fields and
 * records and of deleted ones.
 */
export interface FileUseRepository {
  /** The next so many tables after the id. */
  tablesAfter(id: string, most: number): Promise<TablePage>
  /** Those of the base, deleted ones too, by id. */
  tablesIn(baseId: string): Promise<readonly FileTable[]>
  /** The table of the id; undefined when it is gone, or has no field of files. */
  findTable(id: string): Promise<FileTable | undefined>
  /** The tokens of files in cells of the records of the range, in no order, each once. */
  tokensIn(
    table: FileTable,
    range: { readonly after: number; readonly until: number },
  ): Promise<readonly string[]>
  /** Notes of the files that cells have had that they have them at the time, unless that was noted later. */
  noteUsed(tokens: readonly string[], time: Timestamp): Promise<void>
  /** Removes so many files that cells had and that were not noted since the time. Answers how many there were. */
  removeUnnoted(before: Timestamp, most: number): Promise<number>
}
