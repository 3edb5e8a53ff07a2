/** Maxima of what storages keep at hand and let wait: a part of `limits`. */
export const storageLimits = {
  /** Records that a table has, or had, before indexes are made for its queries: fewer are looked at in a few milliseconds. */
  recordsIndexed: 5_000,
  /** Records of a table beyond which no index is made for its queries on SQLite: its one writer is taken for some half a second per million. */
  recordsIndexedOnSqlite: 2_000_000,
  /** Indexes that are made for the queries of a table: each makes every write a little slower, and takes space. */
  indexesPerTable: 8,
  /** Queries that ask for an index before it is made: what is asked once may never be asked again. */
  queriesPerIndex: 3,
  /** Days without any use after which an index is removed. */
  indexDaysUnused: 30,
  /** Days without any use after which it gives way to another one of its table. */
  indexDaysBeforeOthers: 3,
  /** Indexes that the background looks at in one transaction. */
  indexesCheckedAtOnce: 50,
  /** What queries ask for that is remembered until the background looks: what is asked most comes again. */
  indexDemands: 500,
  /** Pieces of three characters that records of a table have on average, beyond which searches have no index there. */
  trigramsOfRecord: 1_000,
  /** Records whose bits lie together, and are made in one transaction, for which others wait on SQLite; a multiple of 8. */
  recordsPerSegment: 2_048,
  /** Slots of the bits of such an index: fewer would have too many records in each. */
  slotsLeast: 64,
  /** Records that an index leaves a search to look at; where there are more, it looks at all of them. */
  recordsPerSearch: 50_000,
  /** Notes of changed records that a search reads: each write leaves one, until the background takes them in. */
  changesPerSearch: 2_000,
  /** Such notes that the background leaves as they are. */
  changesLeft: 50,
  /** Changed records of a segment for which it is signed anew, and those of a table beyond which any is. */
  recordsChangedPerSegment: 128,
  recordsChangedLeft: 4_000,
  /** Writes that share one commit on a storage that groups them; bounds the wait of the first. */
  writesPerCommit: 256,
  /** Milliseconds of work after which such a commit takes no other write: who is in it waits for its end. */
  commitMs: 20,
  /** Microseconds that a sync of SQLite's log usually takes at most where the main thread waits for it: it goes on meanwhile else. */
  syncMicrosecondsAtOnce: 250,
  /** Percent of the time of such a sync for which the next commit waits for those who shared it, and are likely to write again. */
  commitWaitPercent: 50,
  /**
   * Characters, roughly, that a long write may have read before it takes the one writer of SQLite: all of it is read once
   * more then, in a millisecond or two.
   */
  lengthReadFirst: 256 * 1024,
  /**
   * Those of the rows that are with the thread which adds them by then: 5,000 records of 800 characters. They take up to four
   * times as many bytes of its memory.
   */
  lengthSentAhead: 4 * 1024 * 1024,
  /**
   * Milliseconds for which the background adds to a transaction that nobody waits for, before it commits: what is
   * lost with it if the process ends.
   */
  transactionMs: 50,
  /** The first of these where statements go over a network, where others can work beside it. */
  transactionMsOverNetwork: 100,
  /** Transactions of one caller that wait for their turn: some seconds of small writes. */
  transactionsWaitingPerCaller: 5_000,
  /** Long reads of one caller that wait on SQLite: each may take seconds, so that more would wait for minutes. */
  longReadsWaitingPerCaller: 25,
  /**
   * Seconds that one transaction of a call may take, a write and a read: the largest ones that steps and bytes allow take a
   * tenth of that.
   */
  writeSeconds: 120,
  readSeconds: 300,
  /** Milliseconds of a statement of a long read on SQLite: what PostgreSQL is told of every statement. */
  longReadStatementMs: 30_000,
  /**
   * Bytes of SQLite's log that a commit may move to the file on the thread that answers, which takes some
   * twenty milliseconds: a larger log is moved on another thread.
   */
  logBytesMovedAtOnce: 8 * 1024 * 1024,
  /** Bytes of it beyond which it is moved there after a long write: some less than those at which a commit moves it. */
  logBytesMovedAfterLong: 3 * 1024 * 1024,
  /**
   * Bytes of SQLite's log beyond which no long read begins before the log is emptied: while snapshots overlap
   * it only grows, by all that is written. What is written until the last of them ends comes on top.
   */
  logBytesForLongReads: 512 * 1024 * 1024,
  /**
   * Milliseconds after which a statement that holds records may have waited for others, so that its caller's role is asked again:
   * few take so long without that.
   */
  recordsWaitedMs: 100,
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
  /**
   * Bytes of an answer of PostgreSQL from which on it is a large one, which takes the database some ten milliseconds to write, and
   * so many of them in a millisecond at least: what takes longer for them does something else meanwhile. Percent of the
   * connections that read such at the same time: about as much as one thread takes in.
   */
  largeAnswerBytes: 1024 * 1024,
  largeAnswerBytesPerMs: 16 * 1024,
  connectionsOfLargeAnswersPercent: 10,
  /** Bytes of an answer of PostgreSQL that are taken in before others have a turn: about a millisecond's work. */
  answerBytesInOneTurn: 64 * 1024,
  /** Short reads on the connection that they share, at the same time: what comes beyond takes turns with all other calls. */
  readsOnSharedConnection: 64,
  /** Milliseconds after which nobody joins that connection any more while none of its reads is answered. */
  sharedConnectionStalledMs: 20,
  /** Milliseconds of that after which another connection is opened in its place. */
  sharedConnectionReplacedMs: 500,
  /**
   * Milliseconds without an answer after which a call loses its connection while others wait for one: some times what the
   * largest batch takes. A machine of a distributed database that hangs would otherwise hold up everybody.
   */
  unansweredMsWhileOthersWait: 5_000,
  /**
   * Milliseconds without an answer after which a call, or a job, loses its connection once the program is about to end: as long
   * as while others wait, as whoever ended the program does, and may kill it after some seconds more.
   */
  unansweredMsWhileClosing: 5_000,
  /**
   * Rows that are added to a table before PostgreSQL is told to look at it: a wrong plan for fewer takes a few milliseconds
   * more. Bytes, roughly, of what is remembered of how tables grow: some 8,000 of them.
   */
  rowsAddedUnseen: 5_000,
  grownTableBytes: 2 * 1024 * 1024,
  /** Bytes, roughly, of formulas kept ready to be evaluated: some sixty of the longest there may be. */
  compiledFormulaBytes: 96 * 1024 * 1024,
  /** Bytes, roughly, of what is remembered of which fields formulas read. */
  formulaReferenceBytes: 16 * 1024 * 1024,
  /** Bytes, roughly, of schemas kept at hand: some 1,500 tables of 20 fields. */
  schemaBytes: 64 * 1024 * 1024,
  /** Bytes, roughly, of the texts of statements on user tables: some 200 tables of 20 fields in full use. */
  statementTextBytes: 16 * 1024 * 1024,
  /** Bytes, roughly, of statements of queries that were asked lately, with the values that they ask about: some 1,000. */
  keptStatementBytes: 4 * 1024 * 1024,
  /** Bytes, roughly, of what is kept of how pages of queries were found lately. */
  queryWaysBytes: 1024 * 1024,
  /** Bytes, roughly, of what guards found lately of places, for those whom they let in: some 2,500 people. */
  expectedScopesBytes: 4 * 1024 * 1024,
  /** Bytes, roughly, of rows of a SQLite file that are kept because nearly every call asks for them: some 4,000 callers. */
  keptRowBytes: 8 * 1024 * 1024,
  /** Bytes, roughly, of the statements that one connection keeps prepared. */
  preparedStatementBytes: 16 * 1024 * 1024,
  /** Bytes, roughly, of the statements that one connection prepares before it is replaced. */
  preparedBytesPerConnection: 48 * 1024 * 1024,
} as const
