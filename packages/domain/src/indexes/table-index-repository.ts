import type { Timestamp } from '../clock.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { IndexDemand, TableIndex } from './table-index.ts'

/** Reads which indexes tables have for their queries. */
export interface TableIndexReader {
  /** Those of a table, by name. */
  listOf(tableId: string): Promise<readonly TableIndex[]>
}

/** Notes which indexes tables have for their queries, makes them and removes them. */
export interface TableIndexRepository extends TableIndexReader {
  /** What queries of this process asked for at least so often since it was last taken; it is forgotten with that. */
  takeDemand(times: number): readonly IndexDemand[]
  /** The physical name of the index of the key. */
  nameOf(tableId: string, key: string): string
  find(name: string): Promise<TableIndex | undefined>
  /** So many of those that were last looked at before the time, the longest ago first. */
  listUnchecked(before: Timestamp, most: number): Promise<readonly TableIndex[]>
  /** Adds it, or puts it in the place of the one of its name. */
  save(index: TableIndex): Promise<void>
  /** Forgets the one of the name. */
  forget(name: string): Promise<void>
  /** The most records of a table of which the storage makes an index without holding others up for long. */
  readonly recordsMax: number
  /** What would be said to the storage; undefined where the fields, as they are by now, can't have the index. */
  definitionOf(schema: TableSchema, key: string): string | undefined
  /**
   * Makes the index anew, for all records that there are. Answers false where another process is at it. Readers go on
   * meanwhile, and so do writers where the storage can have it so.
   */
  build(schema: TableSchema, index: TableIndex): Promise<boolean>
  /** Removes what there is of it. Answers false where another process is at it. */
  drop(index: TableIndex): Promise<boolean>
}
