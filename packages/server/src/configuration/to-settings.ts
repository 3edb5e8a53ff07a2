import { defaultSettings, type Settings } from '@gateleg/domain/settings'
import type { Configuration } from './configuration.ts'

/** The settings of the whole instance, by what the operator configured. */
export function toSettings({
  maxFolderDepth,
  maxAttachmentBytes,
  attachmentUrlSeconds,
  recordHistoryDays,
  trashRetentionDays,
  publicUrl,
  trustedLoginClients,
}: Configuration): Settings {
  return {
    ...defaultSettings,
    ...(maxFolderDepth !== undefined && { maxFolderDepth }),
    ...(maxAttachmentBytes !== undefined && { maxAttachmentBytes }),
    ...(attachmentUrlSeconds !== undefined && { attachmentUrlSeconds }),
    ...(recordHistoryDays !== undefined && { recordHistoryDays }),
    ...(trashRetentionDays !== undefined && { trashRetentionDays }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(trustedLoginClients && { trustedLoginClients }),
  }
}
