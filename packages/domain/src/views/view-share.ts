import { z } from 'zod'
import type { ViewType } from './view-type.ts'

/** What people have decided about a share; what they have not is as the kind of view has it. */
interface ShareSettings {
  readonly allowCopy?: boolean | undefined
  readonly includeHiddenField?: boolean | undefined
  readonly includeRecords?: boolean | undefined
  readonly submit?:
    | { readonly allow?: boolean | undefined; readonly requireLogin?: boolean | undefined }
    | undefined
}

/** How a view is shown to whoever has its link. */
export interface ViewShare {
  readonly viewId: string
  readonly tableId: string
  /** What the link names; null while the view isn't shared. One that ended is never used again. */
  readonly shareId: string | null
  readonly settings: ShareSettings
  /** Null where no password is asked for. */
  readonly passwordHash: string | null
  /** Tells the password from every other one that is ever set; null where none is asked for. */
  readonly passwordTag: string | null
}

/** What visitors may do with a share, everything decided. */
export interface ShareMeta {
  readonly allowCopy: boolean
  readonly includeHiddenField: boolean
  readonly includeRecords: boolean
  readonly submit: { readonly allow: boolean; readonly requireLogin: boolean }
}

/** What is decided about a share: a form that is shared can be sent and shows no records, other views show theirs. */
export function shareMetaOf(type: ViewType, { settings }: Pick<ViewShare, 'settings'>): ShareMeta {
  const isForm = type === 'form'
  return {
    allowCopy: settings.allowCopy ?? false,
    includeHiddenField: settings.includeHiddenField ?? false,
    includeRecords: settings.includeRecords ?? !isForm,
    submit: {
      allow: isForm && (settings.submit?.allow ?? true),
      requireLogin: settings.submit?.requireLogin ?? false,
    },
  }
}

/** Stands for a password that is set: nobody is told it. Sent back, it leaves the password as it is. */
export const passwordMask = '********'

/** What is decided about a share, as it is sent. */
export const shareSettingsShape = {
  allowCopy: z.boolean().optional().describe('Whether visitors may copy cells'),
  includeHiddenField: z
    .boolean()
    .optional()
    .describe('Whether fields are shown, too, that the view does not show'),
  includeRecords: z
    .boolean()
    .optional()
    .describe('Whether records are shown; of a form that is not said, none'),
  submit: z
    .object({
      allow: z.boolean().optional().describe('Whether visitors may send the form'),
      requireLogin: z.boolean().optional().describe('Whether only who has signed in may'),
    })
    .optional()
    .describe('Who may send a form'),
}

/** What is decided about a share, as it is answered. */
export const shareMetaOutput = z
  .object({
    allowCopy: z.boolean().describe('Whether visitors may copy cells'),
    includeHiddenField: z
      .boolean()
      .describe('Whether fields are shown, too, that the view does not show'),
    includeRecords: z.boolean().describe('Whether records are shown'),
    submit: z
      .object({
        allow: z.boolean().describe('Whether visitors may send the form'),
        requireLogin: z.boolean().describe('Whether only who has signed in may'),
      })
      .describe('Who may send a form'),
  })
  .meta({ id: 'ShareMeta' })

/** What is decided about a share, as the people of the table are answered, who see that there is a password. */
const ownShareMetaOutput = shareMetaOutput
  .extend({
    password: z
      .string()
      .optional()
      .describe('Stands for the password, where one is asked for; what it is, nobody is told'),
  })
  .meta({ id: 'OwnShareMeta' })

/** What callers see of how a view is shared. */
export const shareOutputShape = {
  enableShare: z.boolean().optional().describe('Whether it is shared by a link'),
  shareId: z
    .string()
    .optional()
    .describe('What the link names: left out for those who may not share it'),
  shareMeta: ownShareMetaOutput.optional().describe('What visitors may see and do'),
}

/** How a view is shared, as its people see it. */
export interface SharedAs {
  readonly share: ViewShare | undefined
  /** Whether the caller is told the id: whoever knows it may read what is shared, and send a form. */
  readonly tellsId: boolean
}

/** The members of a view that tell how it is shared; none for a view that never was. */
export function toShareOutput(type: ViewType, { share, tellsId }: SharedAs) {
  if (!share) return {}
  const { shareId, passwordHash } = share
  return {
    enableShare: shareId !== null,
    ...(shareId !== null && tellsId && { shareId }),
    shareMeta: {
      ...shareMetaOf(type, share),
      ...(passwordHash !== null && { password: passwordMask }),
    },
  }
}
