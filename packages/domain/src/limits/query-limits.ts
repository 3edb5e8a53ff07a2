/** Maxima of filters, searches, sorts, groups, statistics and cursors: a part of `limits`. */
export const queryLimits = {
  /** Records of a table up to which a query is answered between others: to look at each takes a few milliseconds. */
  recordsSearchedAtOnce: 5_000,
  /** Records with a value that an index finds of which a page is told at once, in whatever order: a millisecond or two. */
  recordsSortedAtOnce: 2_000,
  /** Records that are looked at in their order for each that a page may have, before it is left to long work. */
  recordsProbedPerRecord: 8,
  /**
   * Bytes of cells up to which a filter is answered between others, each counted once for every test that is made of it:
   * some ten milliseconds, as folding a text takes five nanoseconds for each of its bytes.
   */
  bytesTestedAtOnce: 2_000_000,
  /** Cells up to which a search is answered between others: to work out what each shows takes a microsecond. */
  cellsSearchedAtOnce: 10_000,
  /** Characters of the names of the fields that are searched: the ids of all that a table may have. */
  searchFieldsLength: 10_000,
  /** Items of a filter, those of groups included: more than a person sets up. */
  filterItems: 100,
  /** Groups within groups of a filter. */
  filterDepth: 5,
  /** Values of one item of a filter: all choices of a select. */
  filterValues: 1_000,
  /** Characters of a text that a filter or a search compares with. */
  filterTextLength: 2_000,
  /** Days by which a filter counts back or ahead: ten centuries. */
  filterDays: 366_000,
  /** Fields by which records are sorted, and by which they are grouped. */
  sortFields: 20,
  groupFields: 3,
  /**
   * Characters of a text by which groups are ordered, and of a text or list that tell its group from others as they
   * are; longer ones have a digest beside them. Both stand in a cursor.
   */
  groupTextLength: 64,
  /** Groups of the innermost fields that are told at once: more than a person looks through. */
  groups: 5_000,
  /** Bytes, as JSON, of the groups of one answer. */
  groupsLength: 4 * 1024 * 1024,
  /** Collapsed groups of one call: their ids fit into the line of a request. */
  collapsedGroups: 300,
  /** Statistics by group of one call, each group's counted: they are held and answered whole. */
  statisticsByGroup: 20_000,
  /**
   * Characters of texts by which records are sorted, shared among the fields: all of them stand in a cursor, and fit
   * into an entry of an index, which has 2,704 bytes on PostgreSQL.
   */
  sortLength: 600,
  /** Statistics of one call: what a row of an answer of SQLite has room for. */
  statisticsPerCall: 500,
  /** Statistics of one call about a share, from whomever: a page shows one for each of its columns, and each takes its time. */
  statisticsOfShare: 20,
  /** People whom the cells of a field name: their names are looked up and put in order all at once. */
  peopleNamed: 10_000,
  /** Rows that a chart answers, and groups that it makes: more than a picture shows. */
  chartRows: 10_000,
  /** Tables that a chart joins with its first one. */
  chartJoins: 4,
  /** Rows that each join of a chart may make before they are filtered: some seconds of work. */
  chartJoinedRows: 1_000_000,
  /** Rows that each join makes, times what is asked of each: tests, groups, statistics, sort keys, and the row itself. */
  chartJoinWork: 5_000_000,
  /**
   * Bytes of texts and lists in the rows that joins make, each counted for every row that has it and every test, group,
   * statistic and sort key that looks at it: three or four seconds of work, as a byte of the text of a group takes a dozen
   * nanoseconds. So many rows as there may be have room for it with texts of some sixty bytes.
   */
  chartJoinedBytes: 256 * 1024 * 1024,
  /** Columns of a chart: the fields of a table. */
  chartColumns: 500,
  /** Statistics of a chart: more than a picture shows. */
  chartStatistics: 50,
  /** Bytes, as JSON, of the rows that a chart answers, and of the cells that they are made of. */
  chartLength: 8 * 1024 * 1024,
  /** What a search of the names in a space answers at once. */
  foundNamesPerPage: 100,
  foundNamesPerPageDefault: 20,
  /** Names of a space of which a search is done between other calls: some milliseconds of work. */
  namesSearchedAtOnce: 5_000,
  /** Characters of a cursor: those texts, each written as an escape, and what tells them apart. */
  cursorLength: 16_384,
} as const
