/** Maxima of what is kept of changes: a part of `limits`. */
export const historyLimits = {
  /** Days for which it is kept who changed which cell, where nothing else is said: none, as it costs time and room. */
  recordHistoryDays: 0,
  /** Entries of a page of history: what somebody reads at a glance. */
  historyPerPage: 20,
  /** Characters, roughly, that one change of one record adds to the history: longer texts are noted in part. */
  historyLength: 65_536,
  /** Changes of records that the background removes from a history at a time: a few ms where they are short. */
  historyRemovedAtOnce: 500,
  /** Changes of records that the background looks through at a time for fields that were purged: each may be long. */
  historyLookedThrough: 100,
  /** Calls that the background reads at a time, and bytes of them, to find those that name what was purged. */
  undoCommandsLookedThrough: 20,
  undoBytesLookedThrough: 262_144,
  /** Characters of the id by which a caller tells one of their windows from the others. */
  windowIdLength: 64,
  /** Characters of what one call did that are kept to undo it: a paste of 20,000 short cells. */
  undoLength: 1_048_576,
  /** Calls of one user that are kept to be undone, in all windows and tables together. */
  undoCommandsPerUser: 200,
  /** Bytes of them: a quarter of a mebibyte for each of so many. */
  undoBytesPerUser: 52_428_800,
  /** Sets of values of a table that are kept beside the calls that changed them, two for each: columns take as much again. */
  keptValuesPerTable: 20,
  /** Links of a field that are kept to take its conversion back: as many as one write copies. */
  linksKept: 1_000_000,
  /** Characters of links that are kept together: some milliseconds. */
  keptPartLength: 100_000,
  /** Hours for which a call can be undone: a day of work. */
  undoHours: 24,
} as const
