import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onDeletedComment } from '../comment-guard.ts'

/** Removes a comment for good. */
export const deleteComment = defineWrite({
  summary: 'Delete a comment',
  input: z.object({ tableId: idSchema, recordId: idSchema, commentId: idSchema }),
  output: noOutput,
  access: onDeletedComment(),
  run: async ({ tx, now, userId, comment }) => {
    const { tableId, recordId, id: commentId } = comment
    await tx.comments.delete(commentId)
    const payload = { tableId, recordId, commentId }
    tx.emit({ name: 'comment.deleted', time: now, userId, payload })
  },
})
