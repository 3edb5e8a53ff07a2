/** Maxima of records: of what one call writes, of pages, cells and links: a part of `limits`. */
export const recordLimits = {
  /** Records that one request may create or update. */
  recordsPerMutation: 20_000,
  /** Sets of columns in which records change that are written by statements of their own: each may wait for a network. */
  columnSetsPerWrite: 32,
  /** Records of a request that are written where others wait: some 10 ms. More is a long write. */
  recordsWrittenAtOnce: 1_000,
  /** Characters, roughly, of them, or of a table whose field changes. */
  lengthWrittenAtOnce: 1_000_000,
  /**
   * Records that a table may have had where a change of a field that goes through all of them is written there,
   * too: it gives way between them, and takes half as long again on another thread.
   */
  recordsChangedAtOnce: 10_000,
  /**
   * Bytes of the records that one statement changes, and all statements of a write, where others wait meanwhile:
   * some ten milliseconds for each megabyte. A statement that changes one cell writes the whole record anew.
   */
  lengthRewrittenAtOnce: 2 * 1024 * 1024,
  lengthRewrittenPerWrite: 16 * 1024 * 1024,
  /** Records that one request may delete; the ids travel in the query string. */
  recordsPerDelete: 2_000,
  /** Bytes that they take as they are stored: SQLite writes all of a record anew to mark it, a few seconds of work. */
  bytesPerDelete: 256 * 1024 * 1024,
  /** Records that one page of a list may hold. */
  recordsPerPage: 2_000,
  recordsPerPageDefault: 100,
  /**
   * Characters, roughly, of the records that are read at a time: a page or a batch ends there, with one
   * record at least. A page takes several times as much memory until it is sent.
   */
  recordsLength: 8 * 1024 * 1024,
  /**
   * Of those, what a file is read at in one go where others wait meanwhile, and what the background reads of
   * linked records: some 10 ms. One record may be longer.
   */
  recordsLengthInOneTurn: 2 * 1024 * 1024,
  /**
   * Values of records that are read from a file in one go where others wait: some 5 ms. Numbers take long for their
   * length.
   */
  valuesInOneTurn: 8 * 1024,
  /** Values read from a file in one go of records that were measured before, whose sizes needn't be looked at one by one. */
  smallValuesInOneTurn: 32 * 1024,
  /**
   * Values of records that a list reads ahead of what it has shown: a page of common records is read in one go, and
   * of a table of many columns no more than a few megabytes are held before it is known how long they are as shown.
   */
  valuesReadAhead: 64 * 1024,
  /**
   * Characters, roughly, of the records that one request may change or link to: they are held all at once, and answered; see
   * answerBytes.
   */
  recordsLengthPerRequest: 32 * 1024 * 1024,
  /** Rows that `skip` may pass over; walking further is what cursors are for. */
  recordsSkipped: 1_000_000,
  /** Rows that are passed over where others wait: a millisecond or two. Further is a long read. */
  recordsSkippedAtOnce: 10_000,
  /** Records that one cell may be linked to: a cell is read and written whole. */
  linksPerCell: 10_000,
  /** Links of one record in all its fields: cells are read and held whole, some five of the longest together. */
  linksPerRecord: 50_000,
  /** Links in the cells that one request writes: some two seconds of work, in which others have their turn. */
  linksPerRequest: 100_000,
  /** Links that are stored at a time where many are: those that the same records have already are looked through. */
  linksStoredAtOnce: 5_000,
  /** Links whose places at the other end are kept while their relationship changes: as many as one write copies. */
  linksPlacedAgain: 1_000_000,
  /** Records of a linked table that are searched for a title where no column holds it. */
  titlesSearched: 100_000,
  /** Characters of the title that a link shows: what fits a line or two. */
  linkTitleLength: 500,
  /** Bytes (UTF-8, as JSON) of one cell that a caller sends, without the quotes of a text. */
  cellBytes: 256 * 1024,
  /**
   * Bytes (UTF-8, as JSON) of a computed cell, and of the titles in a cell of links: beyond it, the cell is
   * empty, or links have no title. In the first fields of a table, by the place that they got when they were
   * made, it may be as long as the longest; in those after them up to the second number middling, in all later
   * ones short: so that what is computed in one record takes some 3.4 MiB at most, in 500 fields.
   */
  longCellBytes: 256 * 1024,
  longCellFields: 4,
  middlingCellBytes: 16 * 1024,
  middlingCellFields: 40,
  shortCellBytes: 4 * 1024,
  /** Bytes (UTF-8, as JSON) of all cells of one record that a caller sends. */
  recordBytes: 1024 * 1024,
} as const
