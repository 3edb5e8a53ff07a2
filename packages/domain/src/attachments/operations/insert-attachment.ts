import { z } from 'zod'
import { attachmentItemInput } from '../../fields/types/attachment.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { onRecord } from '../../records/record-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { filesRecordOutput } from './files-record-output.ts'
import { insertFiles } from './insert-files.ts'

const text = textUpTo(limits.fileUrlLength).nullish()
const count = z.number().nullish()

/** An item as people read it and send it back. Nothing but its id, name and token is taken from it. */
const sentItem = attachmentItemInput.extend({
  path: text,
  size: count,
  mimetype: text,
  width: count,
  height: count,
  presignedUrl: text,
  smThumbnailUrl: text,
  lgThumbnailUrl: text,
})

/** Puts files that are stored into a cell, after the one that is named. */
export const insertAttachment = defineWrite({
  summary: 'Insert stored files into a cell',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    fieldId: idSchema,
    attachments: z
      .array(sentItem)
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
