/** The encodings that files are read in, by the names that callers give them. */
export const csvEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
/** An encoding that files are read in. */
export type CsvEncoding = (typeof csvEncodings)[number]

/** What separates cells. */
export const csvDelimiters = [',', ';', '\t', '|'] as const
/** A text of one character that separates cells. */
export type CsvDelimiter = (typeof csvDelimiters)[number]

/** A row of a file that isn't empty. */
export interface CsvRow {
  /** The line in which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** What a caller knows of a file; what isn't said follows from its first bytes. */
export interface CsvForm {
  readonly encoding?: CsvEncoding | undefined
  readonly delimiter?: CsvDelimiter | undefined
}

/** A file that is being read. */
export interface CsvFile {
  readonly encoding: CsvEncoding
  readonly delimiter: CsvDelimiter
  /**
   * The rows in their order, some at a time, as the file comes. Throws validation_error with the line for what is no CSV
   * in the encoding: quotes that don't end, bytes that are no text, a row of more than `limits.importRowLength` bytes.
   */
  readonly rows: AsyncIterable<readonly CsvRow[]>
}

/** Reads CSV files. */
export interface CsvReader {
  /** Reads as much as it takes to know how the file is written. */
  open(content: AsyncIterable<Uint8Array>, form: CsvForm): Promise<CsvFile>
}
