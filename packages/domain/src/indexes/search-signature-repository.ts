import type { Numbers } from './number-ranges.ts'
import type { Segment } from './trigrams.ts'

/** How far the index of a table is. Segments are signed one after another. */
export interface SignatureHead {
  readonly tableId: string
  /** The slots of each segment. */
  readonly slots: number
  /** Segments whose bits are there. */
  readonly signed: number
  /** Segments of which no record comes any more. */
  readonly whole: number
}

/** Records of a table that were changed since their bits were made. */
export interface NotedChange {
  readonly id: string
  readonly numbers: readonly Numbers[]
}

/** Keeps the bits of records with which searches find those that may show a text. */
export interface SearchSignatureRepository {
  headOf(tableId: string): Promise<SignatureHead | undefined>
  /** Adds it, or puts it in the place of the one of the table. */
  saveHead(head: SignatureHead): Promise<void>
  /** Adds the bits of a segment, or puts them in the place of those that there were. */
  saveSegment(tableId: string, number: number, segment: Segment): Promise<void>
  /** So many of the changes that are noted. */
  changesOf(tableId: string, most: number): Promise<readonly NotedChange[]>
  /** Forgets the changes of the ids, and notes that these records are to be looked at. */
  replaceChanges(
    tableId: string,
    ids: readonly string[],
    numbers: readonly Numbers[],
  ): Promise<void>
  /** Removes a part of what there is of the table; false where nothing is left. */
  removeSome(tableId: string): Promise<boolean>
}
