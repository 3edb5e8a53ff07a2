import { z } from 'zod'
import { attachmentItemInput } from '../../fields/types/attachment.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { onRecord } from '../../records/record-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { filesRecordOutput } from './files-record-output.ts'
import { insertFiles } from './insert-files.ts'

/** Puts files that are stored into a cell, after the one that is named. */
export const insertAttachment = defineWrite({
  summary: 'Insert stored files into a cell',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    fieldId: idSchema,
    attachments: z
      .array(attachmentItemInput)
      .min(1)
      .max(limits.attachmentsPerCell)
      .describe(
        'The files, by the tokens that they were given out with; path, size, mimetype, width and height are those of what is stored, whatever is sent',
      ),
    anchorId: textUpTo(limits.shortTextLength)
      .optional()
      .describe(
        'The id of the item of the cell after which they are placed; they come last when it has no such item',
      ),
  }),
  output: filesRecordOutput,
  access: onRecord('record|update', 'update'),
  run: (context, { fieldId, attachments, anchorId }) =>
    insertFiles(context, { fieldId, anchorId, path: ['attachments'] }, attachments),
})
