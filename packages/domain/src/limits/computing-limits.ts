/** Maxima of what is computed in a write and in the background: a part of `limits`. */
export const computingLimits = {
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
   * left then is computed in the background. A second or so: other writers wait meanwhile.
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
  /** Steps of one transaction of the background, which goes on in the next one: others write between them. */
  stepsPerCalculation: 10_000_000,
  /**
   * Records that one transaction of the background goes through, and a write between two times that others
   * have their turn: some 10 ms, for which another writer waits.
   */
  recordsPerCalculation: 1_000,
  /** The first of these where statements go over a network: what each transaction takes besides counts for more there. */
  recordsPerCalculationOverNetwork: 2_000,
  /** Bytes of stored records that it goes through, where these are long: some 20 ms to write them anew. */
  bytesPerCalculation: 2 * 1024 * 1024,
  /** Times that a job may be begun without an end, each time because the process ended: then it is parked. */
  jobAttempts: 3,
  /** Parked jobs that one list holds: more than an operator looks into. */
  parkedJobsListed: 100,
  /** Problems that one verification of a base names. */
  problemsNamed: 100,
  /** Expired rows of each kind that one transaction of the background removes. */
  expiredRowsPerSweep: 1_000,
  /**
   * Steps of computing (see formulaSteps) that the filter of a lookup or rollup takes for the records that one record is
   * linked to: a tenth of a second or so.
   */
  linkFilterSteps: 10_000_000,
} as const
