import type { Timestamp } from '../clock.ts'
import type { CsvRow } from './csv-reader.ts'
import type { Import } from './import.ts'

/** Rows of a file that wait to be written. */
export interface ImportPiece {
  readonly importId: string
  /** Its place among those of the import. */
  readonly number: number
  readonly rows: readonly CsvRow[]
}

/** Reads what has become of imports. */
export interface ImportReader {
  find(importId: string): Promise<Import | undefined>
  /** How many imports of the base have not ended; one whose file still comes counts until it expires. */
  countOpen(baseId: string, now: Timestamp): Promise<number>
}

/** Keeps imports, and their rows until they are written. */
export interface ImportRepository extends ImportReader {
  /** The import, which nobody else changes or removes until the transaction ends where it is held for update. */
  find(importId: string, lock?: 'none' | 'update'): Promise<Import | undefined>
  /** How many imports of the base have not ended, as `countOpen`; nobody else counts so until the transaction ends. */
  countOpenHeld(baseId: string, now: Timestamp): Promise<number>
  /** Keeps it, in the place of what was kept of it before. */
  save(one: Import): Promise<void>
  /** Keeps a piece, in the place of one with its number. */
  savePiece(piece: ImportPiece): Promise<void>
  /** The first piece that is left of an import. */
  nextPiece(importId: string): Promise<ImportPiece | undefined>
  removePiece(importId: string, number: number): Promise<void>
  /**
   * Removes so many pieces at most of an import that expired before the time, and the import once it has none. One whose rows
   * are still written doesn't expire. Answers whether there was one.
   */
  deleteExpired(before: Timestamp, most: number): Promise<boolean>
}
