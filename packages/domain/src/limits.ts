import { requestLimits } from './request-limits.ts'

/**
 * Every maximum of the product, in one place; those of requests have a file of their own. A limit exists so that no request can make the service
 * read, hold or return an unbounded amount; the comment says why it has the size it has.
 */
export const limits = {
  /** Characters of a name of a space, base, table, field, view, choice, ...: what fits a heading. */
  nameLength: 100,
  /** Characters of a name as sent, with the white space around it that is taken off. */
  untrimmedNameLength: 1_000,
  /** Characters of a description: a long paragraph. */
  descriptionLength: 2_000,
  /** Characters of an icon: an emoji with all its joiners, or a short icon name. */
  iconLength: 64,
  /** Characters of any other short text of a request (tokens, ids, referers). */
  shortTextLength: 2_048,
  /** Characters of an id in a path or body; our own are 19 long. */
  idLength: 64,
  /** Characters of a physical column name; the limit of PostgreSQL. */
  dbFieldNameLength: 63,
  /** Characters of a date, or a date and a time (ISO 8601). */
  momentLength: 64,
  /** Characters of an e-mail address (RFC 5321). */
  emailLength: 254,
  passwordLengthMin: 8,
  /** Longer passwords would make argon2 a way to burn our processor time. */
  passwordLengthMax: 128,
  ...requestLimits,
  /** Issues that one error names: more than somebody mends before they try again. */
  issuesNamed: 20,
  /** Records that one request may create or update. */
  recordsPerMutation: 20_000,
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
  /**
   * Values of records that a list reads ahead of what it has shown: a page of common records is read in one go, and
   * of a table of many columns no more than a few megabytes are held before it is known how long they are as shown.
   */
  valuesReadAhead: 64 * 1024,
  /**
   * The same of the records that one request may change or link to: they are held all at once, and answered; see
   * answerBytes.
   */
  recordsLengthPerRequest: 32 * 1024 * 1024,
  /** Rows that `skip` may pass over; walking further is what cursors are for. */
  recordsSkipped: 1_000_000,
  /** Rows that are passed over where others wait: a millisecond or two. Further is a long read. */
  recordsSkippedAtOnce: 10_000,
  fieldsPerTable: 500,
  /**
   * Physical columns of a table up to which fields are added: those of deleted fields too, and those that
   * no field has any more. PostgreSQL can't hold more than 1,600 in the lifetime of a table.
   */
  columnsPerTable: 1_500,
  /** Physical columns of a table up to which conversions add one where they find none to use again. */
  columnsWithRetired: 1_580,
  viewsPerTable: 100,
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
  tablesPerBase: 1_000,
  nodesPerBase: 5_000,
  /** The greatest order that a caller gives a node, and the least below 0: one more is another number by far. */
  nodeOrder: 1_000_000_000,
  basesPerSpace: 1_000,
  /** Bases that one list over all spaces holds; more than a person can tell apart. */
  basesPerList: 10_000,
  /** Spaces that one user has created, and is in: those that others put them into take no room of these. */
  spacesPerUser: 1_000,
  /** Spaces of others that one user is in: nobody can fill their list without end. */
  spacesJoined: 1_000,
  /** The same of single bases that others give a role in. */
  basesJoined: 1_000,
  collaboratorsPerResource: 1_000,
  /** Collaborators that one request may add. */
  collaboratorsPerRequest: 100,
  collaboratorsPerPage: 2_000,
  collaboratorsPerPageDefault: 100,
  /** Days that an invitation by mail waits: who doesn't read their mail for a week is asked again. */
  invitationDays: 7,
  /** Open invitations to a space or base: more than a team grows by in that time. */
  invitationsPerResource: 200,
  /** Invitations that one request mails, one after another: some seconds of a caller's time. */
  invitationMailsPerRequest: 20,
  /**
   * Invitations mailed by one user, from one network address, and to one e-mail address, in the hours that
   * they count for: a class can be invited, and nobody be buried in mail.
   */
  invitationMailsPerUser: 50,
  invitationMailsPerAddress: 200,
  invitationMailsPerEmail: 5,
  invitationMailHours: 24,
  accessTokensPerUser: 100,
  /** Spaces, and bases, that one access token may name: they are read on every call it makes. */
  placesPerAccessToken: 100,
  sessionsPerUser: 100,
  choicesPerSelect: 1_000,
  /**
   * Characters of the options and descriptions of all fields of a table together, as JSON: they are read,
   * held and answered whole. Some six selects of a thousand choices with long names.
   */
  tableOptionsLength: 1_000_000,
  /** Members of the options of a field, as sent; no type has half as many. */
  fieldOptions: 100,
  /** Characters of the id of a choice, where the client chose it. */
  choiceIdLength: 32,
  /** Characters of the default of a text field: fits into a cell, unless JSON writes most of them as escapes. */
  defaultTextLength: 65_536,
  /** Characters of a currency symbol; the longest in use have four or five. */
  currencySymbolLength: 10,
  /** Decimals that numbers are shown with. */
  numberPrecision: 5,
  ratingMax: 10,
  /** Characters of the name of a time zone; the longest there is has 32. */
  timeZoneLength: 64,
  /** Time zones that are kept prepared; there are some 600 names. */
  timeZonesKept: 1_000,
  /** Days per time zone whose offset is remembered: a century, in about two megabytes. */
  zoneDaysKept: 36_525,
  /** Records that one cell may be linked to: a cell is read and written whole. */
  linksPerCell: 10_000,
  /** Links of one record in all its fields: cells are read and held whole, some five of the longest together. */
  linksPerRecord: 50_000,
  /** Links in the cells that one request writes: some two seconds of work, in which others have their turn. */
  linksPerRequest: 100_000,
  /** Links that are stored at a time where many are: those that the same records have already are looked through. */
  linksStoredAtOnce: 5_000,
  /** Records of a linked table that are searched for a title where no column holds it. */
  titlesSearched: 100_000,
  /** Characters of the title that a link shows: what fits a line or two. */
  linkTitleLength: 500,
  /** Records whose computed values are brought up to date in the write that changes them; see decisions. */
  recordsCalculated: 10_000,
  /**
   * The bytes of those records as they are stored, and of such as are converted in one write: SQLite writes all of
   * a record anew where one cell of it changes. A second or so, for which other writers wait.
   */
  bytesCalculated: 64 * 1024 * 1024,
  /** Tables that one transaction of the background looks through. */
  tablesPerSweep: 100,
  /** Rows of a table that goes for good that one transaction of the background removes: some 20 ms. */
  rowsPurgedAtOnce: 5_000,
  /** Records at which counting for an estimate ends. */
  recordsCounted: 1_000_000,
  /**
   * Steps of computing (see formulaSteps) that a write takes for the values that follow from it; what is
   * left then is worked out in the background. A second or so: other writers wait meanwhile.
   */
  stepsPerWrite: 40_000_000,
  /**
   * Steps of a change of a field that has to be one write, whatever it takes: some ten seconds, in which others
   * have their turn. Beyond that it is refused.
   */
  stepsPerWholeWrite: 1_000_000_000,
  /**
   * Bytes of the records that such a change writes, as they are stored, and of a table that is copied: two or three
   * seconds on SQLite, for which all other writers wait.
   */
  bytesPerWholeWrite: 256 * 1024 * 1024,
  /** The same of one transaction of the background, which goes on in the next one: others write between them. */
  stepsPerCalculation: 10_000_000,
  /**
   * Records that one transaction of the background goes through, and a write between two times that others
   * have their turn: some 10 ms, for which another writer waits.
   */
  recordsPerCalculation: 1_000,
  /** Bytes of stored records that it goes through, where these are long: some 20 ms to write them anew. */
  bytesPerCalculation: 2 * 1024 * 1024,
  /** Times that a job may be begun without an end, each time because the process ended: then it is parked. */
  jobAttempts: 3,
  /** Parked jobs that one list holds: more than an operator looks into. */
  parkedJobsListed: 100,
  /** Files that one cell may hold. */
  attachmentsPerCell: 1_000,
  /** Bytes of one file, unless the operator says otherwise: a long presentation, a minute of film. */
  attachmentBytes: 100 * 1024 * 1024,
  /** Bytes from the beginning of a file that are looked at for its type and size: photographs carry a small one first. */
  fileHeadBytes: 128 * 1024,
  /** Seconds for which the URL of a file leads to it, unless the operator says otherwise. */
  attachmentUrlSeconds: 3_600,
  /** Hours for which a file is kept that no cell has yet, and bytes that no file has any more. */
  unusedFileHours: 24,
  /** Files, or blobs, that one sweep of what nobody uses removes before others have their turn. */
  filesPerSweep: 500,
  /** Bytes of memory that an upload counts for among the bodies of all requests: what has come and is not on the disk yet. */
  uploadBytes: 256 * 1024,
  /** Bytes (UTF-8, as JSON) of one cell that a caller sends, without the quotes of a text. */
  cellBytes: 256 * 1024,
  /**
   * Bytes (UTF-8, as JSON) of a computed cell, and of the titles in a cell of links: beyond it, the cell is
   * empty, or links have no title. In the first fields of a table, by the place that they got when they were
   * made, it may be as long as the longest; in those after them up to the second number middling, in all later
   * ones short: so that what is worked out in one record takes some 3.4 MiB at most, in 500 fields.
   */
  longCellBytes: 256 * 1024,
  longCellFields: 4,
  middlingCellBytes: 16 * 1024,
  middlingCellFields: 40,
  shortCellBytes: 4 * 1024,
  /** The same of all cells of one record. */
  recordBytes: 1024 * 1024,
  /** Characters of an Idempotency-Key. */
  idempotencyKeyLength: 255,
  /** Hours for which an Idempotency-Key answers with its first answer. */
  idempotencyHours: 24,
  /** Characters of an answer that is kept for the repetition of its call, as JSON: some 2,000 records. */
  keptAnswerLength: 1024 * 1024,
  /** Days that a session lives. */
  sessionDays: 7,
  /**
   * Sign-ups, and sign-ins, from one address in a minute, where not configured: as many as an office behind
   * one address has on its first day.
   */
  signUpsPerMinute: 60,
  signInsPerMinute: 60,
  /**
   * Calls about shares from one address in a minute, where not configured: many times what people of one office look
   * at, and little for a program that takes all it can.
   */
  shareCallsPerMinute: 1_200,
  /** Forms that visitors send from one address in a minute, where not configured: as a class does that fills one in. */
  sharedFormsPerMinute: 60,
  /** Callers that are counted each by themselves; those beyond are counted together. */
  callersCounted: 100_000,
  /** Passwords that are checked or hashed at the same time; each takes a thread and 19 MiB. */
  passwordsAtOnce: 2,
  /** Sign-ins that wait for that, some 50 ms each, before more are refused; sign-ups likewise, behind them. */
  signInsWaiting: 64,
  signUpsWaiting: 32,
  /** Failed sign-ins of one account, or from one address, before it is locked. */
  signInFailuresPerAccount: 5,
  signInFailuresPerAddress: 50,
  /** Characters of the password of a share at least, as the interface has it. */
  sharePasswordLengthMin: 3,
  /** Wrong passwords of a share, from whomever, before it takes none for a while: a short one is soon guessed. */
  shareFailuresPerShare: 30,
  /** Wrong passwords of shares from one address, before it may try no more for a while. */
  shareFailuresPerAddress: 10,
  /** Records of a share that are answered with its view, and their bytes: what the first sight of a page shows. */
  recordsOfSharedView: 50,
  sharedViewBytes: 1024 * 1024,
  /** Hours for which who gave the password of a share isn't asked again. */
  shareTokenHours: 24,
  /** Minutes for which failures count, and for which a lock holds. */
  signInLockMinutes: 15,
  /** Expired rows of each kind that one transaction of the background removes. */
  expiredRowsPerSweep: 1_000,
  /** Seconds that pass before the use of an access token is noted again. */
  tokenUseNotedSeconds: 60,
  /** Minutes that a sign-up code sent by mail is good for, and wrong tries it takes. */
  signUpCodeMinutes: 15,
  signUpCodeTries: 5,
  /** Digits of a sign-up code: a million codes, of which a mail box gets 25 guesses in 15 minutes. */
  signUpCodeDigits: 6,
  /** Sign-up codes mailed to one address, or asked for from one, in the minutes that one is good for. */
  signUpCodesPerEmail: 5,
  signUpCodesPerAddress: 20,
  /** Times an invitation code may be used at most. */
  inviteCodeUses: 1_000,
  /** Levels of folders below the root, where not configured. */
  folderDepth: 2,
  /** Writes that share one commit on a storage that groups them; bounds the wait of the first. */
  writesPerCommit: 256,
  /** Milliseconds of work after which such a commit takes no other write: who is in it waits for its end. */
  commitMs: 20,
  /** Transactions of one caller that wait for their turn: some seconds of small writes. */
  transactionsWaitingPerCaller: 5_000,
  /** Long reads of one caller that wait on SQLite: each may take seconds, so that more would wait for minutes. */
  longReadsWaitingPerCaller: 25,
  /**
   * Bytes of SQLite's log that a commit may move to the file on the thread that answers, which takes some
   * twenty milliseconds: a larger log is moved on another thread.
   */
  logBytesMovedAtOnce: 8 * 1024 * 1024,
  /**
   * Bytes of SQLite's log beyond which no long read begins before the log is emptied: while snapshots overlap
   * it only grows, by all that is written. What is written until the last of them ends comes on top.
   */
  logBytesForLongReads: 512 * 1024 * 1024,
  /** Seconds that a long read waits for that log to be emptied. */
  fullLogWaitSeconds: 10,
  /**
   * Seconds that writers wait then until the quick reads under way have ended: long lists that share the thread
   * have ended after one or two.
   */
  fullLogHoldSeconds: 5,
  /**
   * Bytes of the memory of a thread that runs statements, beyond which it ends: four snapshots that have each
   * read `recordsLength` at a time take 64 MiB together, and rather more until they are collected.
   */
  statementThreadBytes: 256 * 1024 * 1024,
  /**
   * Percent of the connections to a database that one caller may have: the others answer everybody else,
   * however long the calls of that one take.
   */
  connectionsPerCallerPercent: 75,
  /**
   * Percent of them that are only for callers who have none: without these, two who send much at once would
   * have all, and even the shortest call of anybody else would wait for theirs.
   */
  connectionsKeptPercent: 20,
  /**
   * Percent of them that long reads of all callers may have: more at once would only take the processors of
   * the database from each other, and from all that is short.
   */
  connectionsOfLongReadsPercent: 40,
  /** Bytes, roughly, of formulas kept ready to be evaluated: some sixty of the longest there may be. */
  compiledFormulaBytes: 96 * 1024 * 1024,
  /** Bytes, roughly, of what is remembered of which fields formulas read. */
  formulaReferenceBytes: 16 * 1024 * 1024,
  /** Bytes, roughly, of schemas kept at hand: some 1,500 tables of 20 fields. */
  schemaBytes: 64 * 1024 * 1024,
  /** Bytes, roughly, of the texts of statements on user tables: some 200 tables of 20 fields in full use. */
  statementTextBytes: 16 * 1024 * 1024,
  /** Bytes, roughly, of the statements that one connection keeps prepared. */
  preparedStatementBytes: 16 * 1024 * 1024,
  /** Bytes, roughly, of the statements that one connection prepares before it is replaced. */
  preparedBytesPerConnection: 48 * 1024 * 1024,
  /** Characters of a formula. */
  formulaLength: 8_192,
  /** Characters of a formula in which fields are named: names can be longer than ids. */
  shownFormulaLength: 81_920,
  /** Nesting of a formula (brackets, calls, signs); keeps recursive code far from the end of the stack. */
  formulaDepth: 200,
  /**
   * Steps that one evaluation of a formula may take: each part of it, and each character or list item that
   * it goes through or makes, is one; what is harder work (a date that is read, a number that is written, a
   * step of a pattern search) is several. Some 10 ns each; enough to search a cell of the greatest size.
   */
  formulaSteps: 4_000_000,
  /** Characters of a search pattern; its classes can be longer than its instructions tell. */
  patternLength: 2_000,
  /** Instructions of a compiled search pattern; together with the text's length it bounds a search. */
  patternInstructions: 1_000,
  /** Groups within groups of a search pattern; see formulaDepth. */
  patternDepth: 50,
  /** Workdays to add to a date; more than the years 1 to 9999 have. */
  workdays: 3_000_000,
  /** Characters of the text that says how a date is written. */
  dateFormatLength: 256,
  /** Problems that one verification of a base names. */
  problemsNamed: 100,
  /** Records of a table up to which a query is answered between others: to look at each takes a few milliseconds. */
  recordsSearchedAtOnce: 5_000,
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
  /**
   * Records that an export finds at a time, where a filter or a sort takes part: finding them may mean to look at all
   * records of the table, and their ids are held until they are written, some 5 MB.
   */
  recordsFoundPerExport: 50_000,
  /** Records of an export that are read and written in one go, and characters of their text after which it ends. */
  recordsPerExportPart: 1_000,
  exportPartLength: 1024 * 1024,
  /** Characters of the name that is proposed for an exported file, which file systems have room for. */
  fileNameLength: 100,
  /**
   * Steps of computing (see formulaSteps) that the filter of a lookup or rollup takes for the records that one record is
   * linked to: a tenth of a second or so.
   */
  linkFilterSteps: 10_000_000,
  /** Bytes of a file that is imported: a million rows of a table of common width. */
  importBytes: 256 * 1024 * 1024,
  /** Characters of a row of such a file: as many as a record has bytes. A quote that doesn't end is told there. */
  importRowLength: 1024 * 1024,
  /** Rows and characters up to which a file is imported before the call is answered; longer ones in the background. */
  importRowsAtOnce: 1_000,
  importLengthAtOnce: 1024 * 1024,
  /** Rows and characters that wait together, and are written in one transaction. */
  rowsPerImportPiece: 1_000,
  importPieceLength: 256 * 1024,
  /** Rows of which it is guessed what columns hold. */
  importSampleRows: 1_000,
  /** Different texts up to which a column may be taken for choices, and characters from which on for long text. */
  importChoices: 20,
  importLineLength: 200,
  /** Issues that are kept of an import: enough to see what is wrong. */
  importIssues: 100,
  /** Imports of a base that come or are written at the same time: each may hold as many bytes as a file has. */
  importsPerBase: 10,
  /** Hours after which a file that has not come whole is given up, and days for which an import's end is told. */
  importArrivalHours: 1,
  importKeptDays: 7,
  /** Pieces of given up imports that are removed at a time. */
  importPiecesPerSweep: 20,
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
  /** Days of a calendar that are asked for at once: a year, and weeks at its ends. */
  calendarDays: 400,
  /** Records of a calendar that are shown of those that begin on one day: more than a day has room for. */
  calendarRecordsPerDay: 10,
  /** Characters of texts by which records are sorted, shared among the fields: all of them stand in a cursor. */
  sortLength: 1_024,
  /** Statistics of one call: what a row of an answer of SQLite has room for. */
  statisticsPerCall: 500,
  /** Statistics of one call about a share, from whomever: a page shows one for each of its columns, and each takes its time. */
  statisticsOfShare: 20,
  /** Characters of a cursor: those texts, each written as an escape, and what tells them apart. */
  cursorLength: 16_384,
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
} as const
