/** Maxima of files and of the cells that hold them: a part of `limits`. */
export const attachmentLimits = {
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
  /** Changes of a table's history that are looked through at a time for files that they name: a few megabytes. */
  changesLookedThrough: 50,
  /** Bytes of memory that an upload counts for among the bodies of all requests: what has come and is not on the disk yet. */
  uploadBytes: 256 * 1024,
  /** Seconds for which an upload is awaited, unless the caller says otherwise, and at most. */
  uploadSlotSeconds: 3_600,
  uploadSlotSecondsMax: 86_400,
  /** Characters of the URL of a file that is fetched: more than browsers and servers agree on. */
  fileUrlLength: 2_048,
  /** Redirects that are followed to such a file: what a shortener, a change to https and a login of a file host take. */
  fetchRedirects: 5,
  /** Seconds in which it must begin to come, all redirects included. */
  fetchStartSeconds: 20,
  /** Seconds in which all of it must have come: 100 MiB at 7 Mbit/s. */
  fetchSeconds: 120,
  /** The least pace at which it must come, in each of so many seconds in which it is waited for: slower than any line is. */
  fetchBytesPerSecond: 4 * 1024,
  fetchPaceSeconds: 20,
  /** Bytes that the pieces of its answer have on average, where a server says how long they are: few programs send less than a line. */
  fetchPieceBytes: 8,
  /** Times that a server may say that its answer is to come (`103 Early Hints`): those that do say it once or twice. */
  fetchAnnouncements: 10,
  /** Milliseconds in which what other servers send is parsed before others have their turn: more would be felt by all. */
  fetchParsingMs: 3,
  /** Files that are fetched at the same time, for all callers and for one: each holds a connection and a request. */
  fetchesAtOnce: 32,
  fetchesPerCaller: 4,
  /** Bytes of an image of which thumbnails are made: a photograph of 60 megapixels takes less. */
  thumbnailSourceBytes: 64 * 1024 * 1024,
  /** Its pixels: what cameras and scanners give. Some forms take 8 bytes of memory for each while they are read. */
  thumbnailPixels: 8_192 * 8_192,
  /** Bytes of memory that the process takes which makes them; beyond it, it is ended, and the image has none. */
  thumbnailMemoryBytes: 768 * 1024 * 1024,
  /** Seconds in which thumbnails of one image are made; some 0.1 is usual. */
  thumbnailSeconds: 20,
  /**
   * Seconds for which the bytes of an image are waited for, and bytes that must come per second then: nobody else has
   * thumbnails made meanwhile. A bucket begins within one, and sends a photograph in a few.
   */
  thumbnailReadSeconds: 5,
  thumbnailReadBytesPerSecond: 2 * 1024 * 1024,
  /** Bytes that a thumbnail has: ten times those of a photograph's. */
  thumbnailBytes: 1024 * 1024,
  /** Thumbnails that one caller waits for at the same time: a page of a gallery. Beyond it, `service_busy`. */
  thumbnailsWaitingPerCaller: 200,
  /** Bytes of the image that somebody has their picture made of: a photograph by a telephone. */
  avatarFileBytes: 10 * 1024 * 1024,
  /** Images that one user sends for that in the minutes: each takes work, and what is made of it stays for a day at least. */
  avatarChanges: 20,
  avatarChangeMinutes: 60,
  /** Characters of the name that is proposed for an exported file, which file systems have room for. */
  fileNameLength: 100,
} as const
