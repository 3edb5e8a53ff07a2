import { limits } from './limits.ts'

/** What the operator of an instance decides for all of it. */
export interface Settings {
  /** Levels of folders below the root of a base; 0 for none. */
  readonly maxFolderDepth: number
  /** Bytes that one file may have. */
  readonly maxAttachmentBytes: number
}

/** The settings of an instance that is not configured. */
export const defaultSettings: Settings = {
  maxFolderDepth: limits.folderDepth,
  maxAttachmentBytes: limits.attachmentBytes,
}
