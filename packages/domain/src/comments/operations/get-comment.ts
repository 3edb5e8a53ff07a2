import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onReadComment } from '../comment-guard.ts'
import { oneCommentOutput, showComment } from '../comment-output.ts'

/** Answers one comment. */
export const getComment = defineRead({
  summary: 'Get a comment',
  input: z.object({ tableId: idSchema, recordId: idSchema, commentId: idSchema }),
  output: oneCommentOutput,
  access: onReadComment(),
  run: (context) => showComment(context, context.comment),
})
