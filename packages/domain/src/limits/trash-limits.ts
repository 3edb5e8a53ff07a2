/** Maxima of what lies in the trash. */
export const trashLimits = {
  /** Days for which deleted things can be restored; 0 means until somebody purges them. */
  trashRetentionDays: 0,
  /** Entries of a trash on one page: what is purged together by pages. */
  trashEntriesPerPage: 20,
  /** Records of one entry of a trash that are named: more than a person looks at. */
  trashedRecordsNamed: 20,
  /** Entries that one transaction of the background puts out of reach because they are old. */
  trashEntriesPerSweep: 1_000,
  /** Deleted records that one transaction of the background removes, each of `recordBytes` at most. */
  trashedRecordsPurgedAtOnce: 100,
} as const
