import { limits } from './limits.ts'

/** Settings that the operator of an instance makes for the whole instance. */
export interface Settings {
  /** Levels of folders below the root of a base; 0 for none. */
  readonly maxFolderDepth: number
  /** Bytes that one file may have. */
  readonly maxAttachmentBytes: number
  /** Seconds for which the URL of a file leads to it, at most. */
  readonly attachmentUrlSeconds: number
  /** Days for which the history of cells is kept; 0 means that no history is kept. */
  readonly recordHistoryDays: number
  /** Days for which deleted things can be restored; 0 means until somebody purges them. */
  readonly trashRetentionDays: number
  /** Where browsers reach the service, without a slash at the end; URLs of files begin with `/api` when it isn't known. */
  readonly publicUrl?: string
  /** Clients of login providers whose word of e-mail addresses is taken for proven. */
  readonly trustedLoginClients?: readonly TrustedLoginClient[]
}

/** The client of an OpenID provider by which people of the operator's own sign in. */
export interface TrustedLoginClient {
  /** As the provider publishes it. */
  readonly issuer: string
  readonly clientId: string
}

/** The settings of an instance that is not configured. */
export const defaultSettings: Settings = {
  maxFolderDepth: limits.folderDepth,
  maxAttachmentBytes: limits.attachmentBytes,
  attachmentUrlSeconds: limits.attachmentUrlSeconds,
  recordHistoryDays: limits.recordHistoryDays,
  trashRetentionDays: limits.trashRetentionDays,
}
