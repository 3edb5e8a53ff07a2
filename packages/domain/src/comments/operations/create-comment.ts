import { z } from 'zod'
import { DomainError, invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { onRecord } from '../../records/record-guard.ts'
import { defineWrite } from '../../use-case.ts'
import type { Comment } from '../comment.ts'
import { contentSchema } from '../comment-content.ts'
import { oneCommentOutput, showComment } from '../comment-output.ts'
import { requireMentionable } from '../require-mentionable.ts'

/** Adds a comment to a record. Comments of one record are numbered one after another: the record is held for that. */
export const createComment = defineWrite({
  summary: 'Comment on a record',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    content: contentSchema.describe('What it says, paragraph by paragraph'),
    quoteId: idSchema.optional().describe('The comment of the same record that it answers'),
  }),
  output: oneCommentOutput,
  access: onRecord('record|comment', 'update'),
  run: async (context, { tableId, recordId, content, quoteId }) => {
    const { tx, ids, now, userId } = context
    const place = { tableId, recordId }
    await requireMentionable(context, content)
    if (quoteId !== undefined) {
      const quoted = await tx.comments.find(quoteId)
      if (quoted?.tableId !== tableId || quoted.recordId !== recordId) {
        throw invalidAt(['quoteId'], 'must be the id of a comment of the same record')
      }
    }
    const { count, lastNumber } = await tx.comments.tallyOf(place)
    if (count >= limits.commentsPerRecord) {
      const message = `A record has at most ${limits.commentsPerRecord} comments: delete some first`
      throw new DomainError('restricted_resource', message)
    }
    const comment: Comment = {
      ...place,
      id: ids.next('comment'),
      number: lastNumber + 1,
      content,
      ...(quoteId !== undefined && { quoteId }),
      reactions: [],
      createdBy: userId,
      createdTime: now,
      version: 1,
    }
    await tx.comments.insert(comment)
    const payload = { ...place, commentId: comment.id }
    tx.emit({ name: 'comment.created', time: now, userId, payload })
    return showComment(context, comment)
  },
})
