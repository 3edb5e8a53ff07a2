import { accountLimits } from './limits/account-limits.ts'
import { attachmentLimits } from './limits/attachment-limits.ts'
import { boardLimits } from './limits/board-limits.ts'
import { commentLimits } from './limits/comment-limits.ts'
import { computingLimits } from './limits/computing-limits.ts'
import { fieldLimits } from './limits/field-limits.ts'
import { historyLimits } from './limits/history-limits.ts'
import { oauthLimits } from './limits/oauth-limits.ts'
import { pluginLimits } from './limits/plugin-limits.ts'
import { queryLimits } from './limits/query-limits.ts'
import { recordLimits } from './limits/record-limits.ts'
import { requestLimits } from './limits/request-limits.ts'
import { storageLimits } from './limits/storage-limits.ts'
import { textLimits } from './limits/text-limits.ts'
import { transferLimits } from './limits/transfer-limits.ts'
import { trashLimits } from './limits/trash-limits.ts'
import { viewLimits } from './limits/view-limits.ts'
import { workflowLimits } from './limits/workflow-limits.ts'
import { workspaceLimits } from './limits/workspace-limits.ts'

/**
 * Every maximum of the product, by what it is of. A limit exists so that no request can make the service read, hold or
 * return an unbounded amount; the comment says why it has the size it has.
 */
export const limits = {
  ...textLimits,
  ...requestLimits,
  ...accountLimits,
  ...workspaceLimits,
  ...fieldLimits,
  ...recordLimits,
  ...computingLimits,
  ...viewLimits,
  ...pluginLimits,
  ...oauthLimits,
  ...boardLimits,
  ...queryLimits,
  ...transferLimits,
  ...attachmentLimits,
  ...historyLimits,
  ...commentLimits,
  ...trashLimits,
  ...workflowLimits,
  ...storageLimits,
} as const
