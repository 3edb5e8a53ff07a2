/** Maxima of exports and imports: a part of `limits`. */
export const transferLimits = {
  /**
   * Records that an export finds at a time, where a filter or a sort takes part: finding them may mean to look at all
   * records of the table, and their ids are held until they are written, some 5 MB.
   */
  recordsFoundPerExport: 50_000,
  /** Records of an export that are read on one snapshot, and characters of their text after which it ends. */
  recordsPerExportPart: 20_000,
  exportPartLength: 1024 * 1024,
  /**
   * Records of it that are read at once, while those before are written: so few that the garbage collector finds hardly any
   * of them still in use.
   */
  recordsPerExportRead: 500,
  /** Records of an export that are read at once where the storage is asked over a network: each read costs a wait, and its rows come a few at a time. */
  recordsPerExportReadOverNetwork: 2_000,
  /** Characters of it after which others have their turn: a part of a millisecond. */
  exportTurnLength: 8 * 1024,
  /** Characters of it that are sent at once, roughly: as much as takes a part of a millisecond. */
  exportPieceLength: 64 * 1024,
  /** Bytes of a file that is imported: a million rows of a table of common width. */
  importBytes: 256 * 1024 * 1024,
  /** Bytes of the cells of a row of such a file: as many as a record has. A quote that doesn't end is told there. */
  importRowLength: 1024 * 1024,
  /** Rows and characters up to which a file is imported before the call is answered; longer ones in the background. */
  importRowsAtOnce: 1_000,
  importLengthAtOnce: 1024 * 1024,
  /** Rows and characters that wait together, and are written in one transaction. */
  rowsPerImportPiece: 1_000,
  importPieceLength: 256 * 1024,
  /** Characters that become rows in one go: short rows take a millisecond or two. */
  importTurnLength: 4 * 1024,
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
  /**
   * Bytes of the archive of a base, and of one of its lines: a record has `recordBytes` of what was entered, and the
   * settings of a view or a field are no longer than those of all of a table.
   */
  archiveBytes: 64 * 1024 * 1024 * 1024,
  archiveLineBytes: 16 * 1024 * 1024,
  /** Levels of lists and objects in such a line: more than any setting has, few enough to be walked. */
  archiveLineDepth: 32,
  /**
   * Bytes of memory that such a line takes, and all settings of a base together, as `weighLine` finds them: what an import
   * counts for among the bodies of requests, with those that it holds whatever comes: of these, as many as `archivesPerUser`
   * leave room in the part of one caller for their settings and lines.
   */
  archiveLineWeight: 48 * 1024 * 1024,
  archiveSettingsWeight: 64 * 1024 * 1024,
  archiveBytesHeld: 12 * 1024 * 1024,
  /** Bytes of memory that an import counts for what one call had deleted, and for each record of it. */
  trashEntryBytesHeld: 512,
  trashedIdBytesHeld: 192,
  /**
   * Tables, dashboards, workflows, fields and views of the trash that an archive has: each is made by some statements of its
   * own. A trash that nobody empties may have more.
   */
  deletedThingsPerArchive: 20_000,
  /** Entries of a trash that an export reads at a time: each names as many records as one call deletes. */
  trashEntriesReadAtOnce: 50,
  /** Tables, and other such things, that one transaction of an import makes: a storage locks each of them. */
  deletedTablesMadeAtOnce: 20,
  deletedThingsMadeAtOnce: 200,
  /** Archives of one user that come at the same time: what is made of them counts in no space yet. */
  archivesPerUser: 3,
  /** Bytes of a file in one line of an archive. */
  archiveFileLineBytes: 48 * 1024,
  /** Files of an archive that are known to be in it already, while it is written: others come again. */
  archiveFilesRemembered: 10_000,
  /** Records of an archive, and characters of their lines, that one transaction writes. */
  recordsPerArchivePiece: 1_000,
  archivePieceLength: 1024 * 1024,
  /** The greatest number that a record of an archive may have: more than tables come to in years of being written. */
  archivedRecordNumber: 2_147_483_647,
} as const
