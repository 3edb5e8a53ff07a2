import { limits } from './limits.ts'

/** What the operator of an instance decides for all of it. */
export interface Settings {
  /** Levels of folders below the root of a base; 0 for none. */
  readonly maxFolderDepth: number
  /** Bytes that one file may have. */
  readonly maxAttachmentBytes: number
  /** Seconds for which the URL of a file leads to it, at most. */
  readonly attachmentUrlSeconds: number
  /** Days for which it is kept who changed which cell; 0 for not at all. */
  readonly recordHistoryDays: number
  /** Days for which what was deleted can come back; 0 for as long as nobody purges it. */
  readonly trashRetentionDays: number
  /** Where browsers reach the service, without a slash at the end; URLs of files begin with `/api` when it isn't known. */
  readonly publicUrl?: string
}

/** The settings of an instance that is not configured. */
export const defaultSettings: Settings = {
  maxFolderDepth: limits.folderDepth,
  maxAttachmentBytes: limits.attachmentBytes,
  attachmentUrlSeconds: limits.attachmentUrlSeconds,
  recordHistoryDays: limits.recordHistoryDays,
  trashRetentionDays: limits.trashRetentionDays,
}
