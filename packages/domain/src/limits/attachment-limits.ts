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
  /** Bytes of memory that an upload counts for among the bodies of all requests: what has come and is not on the disk yet. */
  uploadBytes: 256 * 1024,
  /** Characters of the name that is proposed for an exported file, which file systems have room for. */
  fileNameLength: 100,
} as const
