import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { onRecord } from '../../records/record-guard.ts'
import type { ReadTx } from '../../store.ts'
import { defineRead } from '../../use-case.ts'
import { isStorable, textUpTo } from '../../values/storable-text.ts'
import type { Comment } from '../comment.ts'
import { commentOutput, commentPeople, peopleOf, toCommentOutput } from '../comment-output.ts'
import type { CommentPart, CommentPlace } from '../comment-repository.ts'

/**
 * Lists the comments of a record. They keep their places, so that pages neither skip nor repeat one, whatever is
 * written or deleted meanwhile.
 */
export const listComments = defineRead({
  summary: 'List the comments of a record',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    direction: z
      .enum(['forward', 'backward'])
      .default('forward')
      .describe(
        '`forward` from the oldest to newer ones, `backward` from the newest to older ones',
      ),
    take: z
      .int()
      .min(1)
      .max(limits.commentsPerPage)
      .default(limits.commentsPerPageDefault)
      .describe('How many comments to answer at most: fewer where they are long, see nextCursor'),
    cursor: textUpTo(limits.cursorLength)
      .optional()
      .describe('Where to begin: the `nextCursor` of the page before, or the id of a comment'),
    includeCursor: z
      .boolean()
      .default(true)
      .describe('Whether the comment at the cursor is answered, too'),
  }),
  output: z.object({
    comments: z.array(commentOutput).describe('The comments, in the direction that was asked for'),
    userMap: commentPeople,
    nextCursor: z
      .string()
      .optional()
      .describe('Leads to the comments that follow; left out when these were the last'),
  }),
  access: onRecord('record|read'),
  run: async (context, { tableId, recordId, direction, take, cursor, includeCursor }) => {
    const { tx } = context
    const place = { tableId, recordId }
    const at = cursor === undefined ? undefined : await numberAt(tx, place, cursor)
    const step = direction === 'forward' ? 1 : -1
    const from = at === undefined || includeCursor ? at : at + step
    const { comments, next } = await readPage(tx, place, { from, direction, most: take })
    return {
      comments: comments.map(toCommentOutput),
      userMap: await peopleOf(context, comments),
      ...(next && { nextCursor: String(next.number) }),
    }
  },
})

/** The number that the cursor stands for: that of a comment, or itself. */
async function numberAt(tx: ReadTx, place: CommentPlace, cursor: string): Promise<number> {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor)
  const comment = isStorable(cursor) ? await tx.comments.find(cursor) : undefined
  if (comment?.tableId === place.tableId && comment.recordId === place.recordId) {
    return comment.number
  }
  throw invalidAt(
    ['cursor'],
    'must be the nextCursor of an earlier answer, or the id of a comment of the record',
  )
}

/** The comments of a page, as far as their length allows, and the one that follows. */
async function readPage(
  tx: ReadTx,
  place: CommentPlace,
  { from, direction, most }: CommentPart,
): Promise<{ readonly comments: readonly Comment[]; readonly next: Comment | undefined }> {
  const comments: Comment[] = []
  let length = 0
  for (let begin = from; ; ) {
    const atOnce = Math.min(limits.commentsReadAtOnce, most + 1 - comments.length)
    const read = await tx.comments.list(place, { from: begin, direction, most: atOnce })
    for (const comment of read) {
      const isFull = comments.length === most || length >= limits.commentPageLength
      if (isFull) return { comments, next: comment }
      comments.push(comment)
      length += JSON.stringify([comment.content, comment.reactions]).length
    }
    const last = read.at(-1)
    if (!last || read.length < atOnce) return { comments, next: undefined }
    begin = last.number + (direction === 'forward' ? 1 : -1)
  }
}
