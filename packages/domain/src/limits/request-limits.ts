/** The maxima of requests, their bodies and their answers: a part of `limits`. */
export const requestLimits = {
  /** Bytes of a JSON request body; the limit of the interface's best known server. */
  jsonBodyBytes: 50 * 1024 * 1024,
  /** Bytes of the body of an operation that takes no credentials: many times what a sign-up needs. */
  publicBodyBytes: 64 * 1024,
  /** Bytes of a body that is read, decoded and parsed in one go, which takes a millisecond or two. */
  bodyBytesInOneTurn: 64 * 1024,
  /** Characters, roughly, of a larger one that are parsed at a time. */
  jsonPieceLength: 64 * 1024,
  /** Values after which such a piece ends sooner: short values take longer than their characters tell. */
  jsonPieceValues: 10_000,
  /**
   * Bytes that bodies of all requests may take in memory at the same time, where not configured: the
   * largest body with most values, and others beside it.
   */
  bodyBytesAtOnce: 256 * 1024 * 1024,
  /** One caller may have a fourth of that, as of answers, or one body: several others have the rest. */
  bodyCallers: 4,
  /**
   * Values of a JSON request body that carries records, by its brackets and commas: the shortest ones take
   * the memory of their text many times over. A cell that is named by the id of its field takes some 25
   * bytes, so that the largest body holds as many.
   */
  jsonValues: 2_000_000,
  /** Values of any other body: many times what the largest of them, the choices of a select, needs. */
  jsonValuesOfOthers: 100_000,
  /**
   * Values that are parsed in one go: of an item of a list, or of all that stands outside of the long lists.
   * A name that was never seen before takes a microsecond or two. The largest item is a record whose cell
   * links to ten thousand, each with its title.
   */
  jsonValuesAtOnce: 50_000,
  /** Characters that are parsed in one go: all cells of a record, each of their bytes written as an escape. */
  jsonLengthAtOnce: 8_000_000,
  /** Members of one object: four times the fields that a record can have. */
  jsonMembers: 2_000,
  /** Different names of members in one body: twenty times the fields of a table. Each new one takes long. */
  jsonNames: 10_000,
  /** Characters of a text as it is written, names among them: a cell with every byte written as an escape. */
  jsonTextLength: 2_000_000,
  /**
   * Bytes of memory that a value of a body counts for, beside its text: a place in a list or an object, and
   * the head of a text. With that the largest body of records is still within the part that one may have.
   */
  jsonValueBytes: 48,
  /** Bytes that a list or an object counts for beside its values: one whose names no other has takes most. */
  jsonContainerBytes: 160,
  /** Seconds for which a body may come as slowly as it likes, and bytes that must have come per second then. */
  bodyGraceSeconds: 10,
  bodyBytesPerSecond: 16 * 1024,
  /** Seconds in each of which a body must keep that pace: one that came fast and stops is let go of soon. */
  bodyPaceSeconds: 20,
  /** Seconds for which the rest of a body is thrown away that was refused, before its line is cut. */
  refusedBodySeconds: 5,
  /** Nesting of a JSON request body; deeper ones could overflow the stack of recursive code. */
  jsonDepth: 64,
  /** Nesting of the input of a call in process, for the same reason: more than any body may have. */
  inputDepth: 80,
  /** Bytes of a request's line and headers; the query that deletes most records has some 80,000. */
  requestHeaderBytes: 128 * 1024,
  /** Seconds in which a request must have arrived: the largest body over a slow line. */
  requestSeconds: 300,
  /** Seconds in which the line and the headers of a request must have arrived: a few packets. */
  headersSeconds: 20,
  /** Connections that one address may have open, unless it is a trusted proxy's: a large office behind one address. */
  connectionsPerAddress: 4_000,
  /** Seconds that an idle connection is kept: longer than proxies keep theirs, which is 60 as a rule. */
  keepAliveSeconds: 65,
  /**
   * Bytes, as JSON, of the records that one request answers, which it is taken to need while they are read, and
   * bytes of all such requests at the same time: others wait. Their answers count until they are sent.
   */
  answerBytes: 32 * 1024 * 1024,
  answerBytesAtOnce: 256 * 1024 * 1024,
  /** Milliseconds in which requests begin before others have their turn: more would be felt by who asks next. */
  requestsBegunMs: 10,
  /** Milliseconds in which pieces of files are taken before others have their turn: what they do besides comes on top. */
  filePiecesMs: 4,
  /** Milliseconds for which one look at the storage answers all who ask `/health`. */
  healthSharedMs: 100,
  /** Requests of one caller that wait until they may begin, and of all of whom it isn't known who they are. */
  requestsWaitingPerCaller: 10_000,
  requestsWaiting: 20_000,
  /** Requests that one connection sends without waiting for an answer: browsers send one, a few programs some. */
  requestsPerConnection: 20,
  /** Credentials that were let in and are remembered, to tell requests of people from those of anybody. */
  credentialsRemembered: 10_000,
  /** Pieces of a body after which others have their turn, and bytes that these have at least on average: programs send row by row, none byte by byte. */
  bodyPiecesInOneTurn: 500,
  bodyPieceBytes: 2,
  /**
   * Lists and long records that are read and made at the same time, and those of one caller: enough to have something
   * to do while a database answers, and few enough that each is soon done.
   */
  answersMadeAtOnce: 8,
  answersMadePerCaller: 4,
  /**
   * Characters of all cells of one record as text: a lookup of ten thousand numbers shows each in hundreds of them.
   * Eight times what callers can write into a record.
   */
  textRecordLength: 8 * 1024 * 1024,
  /** Bytes that each value of a list counts for at least: what it takes in memory, however short its JSON is. */
  answerBytesPerValue: 48,
  /** The part of them for answers that count for `tentativeAnswerBytes` at most: large ones leave it free. */
  smallAnswersPercent: 25,
  /** What a list of more than a few records counts for at first: most need no more, longer ones are read anew. */
  tentativeAnswerBytes: 2 * 1024 * 1024,
  /** Seconds that such a request waits for others at most. */
  answerWaitSeconds: 10,
  /** The least pace at which a caller must take a large answer, after so many seconds for the way. */
  answerBytesPerSecond: 128 * 1024,
  answerSeconds: 30,
  /**
   * Seconds for which nothing at all of a large answer may be seen to be taken. The system holds some
   * megabytes that were sent, and tells of room in large steps: at the least pace, 4 MB take that long.
   */
  answerStalledSeconds: 60,
  /** One caller may have that part of the budget for answers, a fourth: several others have the rest. */
  answerCallers: 4,
  /** Requests of one caller that wait for it: each holds what it was sent meanwhile. */
  answersWaitingPerCaller: 64,
  /** Bytes that each record of a list of few counts for until its answer is known. */
  answerBytesPerRecord: 1024 * 1024,
  /**
   * Bytes that a write counts for until its answer is known, beside twice its body, and for each of its records: what
   * they have beside what was sent. One that answers more is made anew, with all that an answer may need.
   */
  answerBytesOfWrite: 256 * 1024,
  answerBytesPerWritten: 1024,
  /** Seconds that a list of many waits for the memory of a long page; then it gets a shorter one. */
  longPageWaitSeconds: 2,
  /** Issues that one error names: more than somebody mends before they try again. */
  issuesNamed: 20,
} as const
