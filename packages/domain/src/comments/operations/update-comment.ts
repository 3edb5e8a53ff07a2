import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { contentSchema, mentionsIn } from '../comment-content.ts'
import { onOwnComment } from '../comment-guard.ts'
import { oneCommentOutput, showComment } from '../comment-output.ts'
import { requireMentionable } from '../require-mentionable.ts'
import { saveComment } from '../save-comment.ts'

/** Changes what a comment of the caller says. */
export const updateComment = defineWrite({
  summary: 'Change a comment',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    commentId: idSchema,
    content: contentSchema.describe('What it says from now on'),
  }),
  output: oneCommentOutput,
  access: onOwnComment(),
  run: async (context, { content }) => {
    // Whoever was mentioned may have left since.
    await requireMentionable(context, content, mentionsIn(context.comment.content))
    const changes = { content, lastModifiedTime: context.now }
    return showComment(context, await saveComment(context, changes))
  },
})
