import type { Timestamp } from '../clock.ts'

/** What is kept for a step of undo beside it, as it is too much for one: about one field of a table. */
export interface KeptValues {
  readonly id: string
  readonly tableId: string
  readonly fieldId: string
  /** The column, which no field has any more, that holds the values that the field had; absent where they are in parts. */
  readonly columnName?: string | undefined
  /**
   * Records up to this number have the version that a record gets by losing such a value; undefined where all have it. The values
   * stay in the column, but are those of no cell any more.
   */
  readonly counted?: number | undefined
  readonly expiresTime: Timestamp
}

/** Keeps values for steps of undo. */
export interface KeptValueRepository {
  add(kept: KeptValues): Promise<void>
  find(id: string): Promise<KeptValues | undefined>
  /** Those of a table, in the order in which they expire. */
  listOf(tableId: string): Promise<readonly KeptValues[]>
  /** So many at most that expired before the time, those first that expired first. */
  listExpired(before: Timestamp, most: number): Promise<readonly KeptValues[]>
  /** Notes how far records have their version; undefined when all have. */
  noteCounted(id: string, counted: number | undefined): Promise<void>
  /** Keeps a text under a number of its own, in the place of one that is there. */
  putPart(id: string, number: number, content: string): Promise<void>
  /** The text of the number; undefined where there is none. */
  partOf(id: string, number: number): Promise<string | undefined>
  /** Forgets what is kept under the ids, with its parts. */
  remove(ids: readonly string[]): Promise<void>
}
