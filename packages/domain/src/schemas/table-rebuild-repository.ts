import type { Table } from '../tables/table.ts'
import type { TableSchema } from './table-schema.ts'

/** A table that is copied into a new one beside it, which is to have its place: without the columns that are worn. */
export interface TableRebuild {
  readonly tableId: string
  /** Records up to this number were copied, or copied again if they were changed, since the copying began or was begun once more. */
  readonly copied: number
  /** Whether little of what was changed since was left to be copied when that was last looked at. */
  readonly isReady: boolean
  /** Whether the copy is the table, and the old one is still there. */
  readonly isExchanged: boolean
}

/** Records of which a copy has another state than the table. */
export interface ChangedRecords {
  /** Of those too that the table has no more. */
  readonly numbers: readonly number[]
  /** The ids of those that it has. */
  readonly recordIds: readonly string[]
}

/**
 * Copies tables whose columns are worn, step by step. What is copied is noted with what tells one state of a record from all
 * others: so it is known what was changed since, whoever changed it. For storages where empty columns can't be given other
 * types (`FieldRepository.retypes`).
 */
export interface TableRebuildRepository {
  find(tableId: string): Promise<TableRebuild | undefined>
  /** The tables that are being copied. */
  tableIds(): Promise<readonly string[]>
  /**
   * Whether a copy could take the place of the table: not where others made something of it, in the storage, that would be lost with
   * it, such as a view or a trigger. What operators set of it, such as what others may do with it, the copy gets.
   */
  mayBeReplaced(table: Table): Promise<boolean>
  /** Makes an empty copy with the columns that aren't empty, the same conditions, and the indexes for queries. */
  begin(table: Table, schema: TableSchema): Promise<void>
  /**
   * Gives the copy the columns and names of columns that the table has by now. Answers false where it can't be continued, as its
   * conditions are others, the table is one that was restored from a backup, or none may be replaced by now.
   */
  follow(table: Table): Promise<boolean>
  /**
   * Copies the present states of the records that there are, in place of those that were copied. Answers how many of them wait
   * for others, whose ids or unique values they have by now: they are found as changed again.
   */
  bring(table: Table, numbers: readonly number[]): Promise<{ readonly waiting: number }>
  /**
   * So many of the records, of all or of a range, that were changed, added or purged since they were copied; first those that the copy has in another
   * state, whose values others may have by now.
   */
  changed(
    table: Table,
    most: number,
    range?: { readonly after: number; readonly until: number },
  ): Promise<ChangedRecords>
  /**
   * As `changed`, of all records, of which those were brought that the last such look found. Where nothing was left then, only what was
   * changed since is compared, as writers may wait for that.
   */
  changedSinceLook(
    table: Table,
    most: number,
    last: Pick<TableRebuild, 'isReady'>,
  ): Promise<ChangedRecords>
  note(tableId: string, progress: Pick<TableRebuild, 'copied' | 'isReady'>): Promise<void>
  /** Has the storage look at the copy, unless it has already, so that it plans for what that has. */
  look(table: Table): Promise<void>
  /**
   * Whether others see at once all that a transaction changed. A database of several machines may show what one of them has
   * before what another has.
   */
  isSeenAtOnce(): Promise<boolean>
  /** Waits for those who write in the table, and keeps others from it. Waits for nobody for long. */
  holdRecords(table: Table): Promise<void>
  /**
   * Has the copy take the place of the table, of which nothing may have changed since it was copied: nobody may change it
   * meanwhile. Who sees an earlier state goes on to read the old one. The schema of the table needs a new tag.
   */
  exchange(table: Table): Promise<void>
  /** Whether somebody may still see a state in which the old one was the table, or reads the table for long. */
  hasReadersBefore(table: Table): Promise<boolean>
  /** Whether anything was written to the old one since the copy has its place, which nobody may do. */
  wasWritten(table: Table): Promise<boolean>
  /** Removes the old one, and gives the table its name. The schema needs a new tag. Waits for nobody for long. */
  finish(table: Table): Promise<void>
  /** Removes what there is of the copy, or of the old one. */
  drop(table: Table): Promise<void>
}
