/** Maxima of views, row orders, selections and calendars: a part of `limits`. */
export const viewLimits = {
  viewsPerTable: 100,
  /** The greatest order that a caller gives a new view, and the least below 0: one more is another number by far. */
  viewOrder: 1_000_000_000,
  /** Characters, roughly, of the filter of a view, a link or a lookup: one that names all choices of the largest select fits. */
  keptFilterLength: 100_000,
  /**
   * Characters of what all views of a table keep together, as JSON: they are read, held and answered whole. A
   * hundred views that note something of every field of a wide table.
   */
  tableViewsLength: 4_000_000,
  /**
   * Records of a table whose order a view freezes: their numbers are held, in some ten bytes each, until all places
   * are noted.
   */
  recordsFrozen: 5_000_000,
  /** Records whose places are noted in one go: some 20 ms, for which another writer waits. */
  placesNotedAtOnce: 5_000,
  /** Records that one request moves in the order of a view: as many as one request writes. */
  recordsMoved: 20_000,
  /**
   * Records for which there is room between two neighbours, whose places are whole numbers at first: before it is used
   * up, those around get other places. Such places are told apart in tables of a billion records.
   */
  rowsBetweenNeighbours: 1_000_000,
  /** Pixels that a column of a view is wide at most; wider ones show nothing else. */
  columnWidth: 10_000,
  /** Ranges of columns or rows of one selection: more than a person marks. */
  selectedRanges: 100,
  /** Rows of a selection, from the first to the last one: they are found in one statement. */
  selectedRows: 10_000,
  /** Cells that are copied, pasted or emptied at once. */
  selectedCells: 50_000,
  /** Rows that are deleted by where they are shown: a slip of the hand costs no more. */
  selectedRowsDeleted: 1_000,
  /** Characters of cells that are copied, as one text: it is written as JSON in one go, some 20 ms. */
  copiedLength: 8 * 1024 * 1024,
  /** Characters of a text that is pasted: the longest text that a body takes. */
  pastedLength: 2_000_000,
  /** Days of a calendar that are asked for at once: a year, and weeks at its ends. */
  calendarDays: 400,
  /** Records of a calendar that are shown of those that begin on one day: more than a day has room for. */
  calendarRecordsPerDay: 10,
} as const
