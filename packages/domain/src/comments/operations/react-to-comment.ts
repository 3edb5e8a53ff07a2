import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { DomainError } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { storableTextUpTo } from '../../values/storable-text.ts'
import type { Reaction } from '../comment.ts'
import { onAnyComment } from '../comment-guard.ts'
import { saveComment } from '../save-comment.ts'

/** Made when first asked for: a program that starts would wait some milliseconds for the list of all emoji. */
let emoji: RegExp | undefined

function isEmoji(text: string): boolean {
  emoji ??= /^\p{RGI_Emoji}$/v
  return emoji.test(text)
}

const input = z.object({
  tableId: idSchema,
  recordId: idSchema,
  commentId: idSchema,
  reaction: storableTextUpTo(limits.reactionLength)
    .refine(isEmoji, 'must be one emoji')
    .describe('An emoji'),
})

/** Adds a reaction of the caller to a comment; one that is there stays. */
export const reactToComment = defineWrite({
  summary: 'React to a comment',
  input,
  output: noOutput,
  access: onAnyComment(),
  run: async (context, { reaction }) => {
    const { reactions } = context.comment
    const changed = withReaction(reactions, reaction, context.userId)
    if (changed === reactions) return
    if (countOf(changed) > limits.reactionsPerComment) {
      const message = `A comment has at most ${limits.reactionsPerComment} reactions`
      throw new DomainError('restricted_resource', message)
    }
    await saveComment(context, { reactions: changed })
  },
})

/** Takes a reaction of the caller back; does nothing where there is none. */
export const takeReactionBack = defineWrite({
  summary: 'Remove a reaction to a comment',
  input,
  output: noOutput,
  access: onAnyComment(),
  run: async (context, { reaction }) => {
    const { userId, comment } = context
    const reactions = comment.reactions
      .map((one) =>
        one.reaction === reaction
          ? { reaction, userIds: one.userIds.filter((id) => id !== userId) }
          : one,
      )
      .filter(({ userIds }) => userIds.length > 0)
    if (countOf(reactions) === countOf(comment.reactions)) return
    await saveComment(context, { reactions })
  },
})

/** How many there are: one for each user and emoji. */
function countOf(reactions: readonly Reaction[]): number {
  return reactions.reduce((sum, { userIds }) => sum + userIds.length, 0)
}

/** The reactions with one more of the user; the list itself if the user has reacted with this emoji before. */
function withReaction(
  reactions: readonly Reaction[],
  reaction: string,
  userId: string,
): readonly Reaction[] {
  const index = reactions.findIndex((one) => one.reaction === reaction)
  const found = reactions[index]
  if (!found) return [...reactions, { reaction, userIds: [userId] }]
  if (found.userIds.includes(userId)) return reactions
  return reactions.with(index, { reaction, userIds: [...found.userIds, userId] })
}
