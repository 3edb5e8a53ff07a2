import { z } from 'zod'
import { hasScope } from '../access/actor.ts'
import type { Viewer } from '../accounts/users/shown-contact.ts'
import { userMapOutput } from '../accounts/users/shown-user.ts'
import { userMapOf } from '../records/reading/find-people.ts'
import type { ReadTx } from '../store.ts'
import type { Comment } from './comment.ts'
import { contentOutput, mentionsIn } from './comment-content.ts'

/** A comment as callers see it: people by their ids. */
export const commentOutput = z
  .object({
    id: z.string().describe('The id of the comment'),
    content: contentOutput.describe('What it says, paragraph by paragraph'),
    createdBy: z.string().describe('The id of the user who wrote it'),
    createdTime: z.string().describe('When it was written'),
    lastModifiedTime: z
      .string()
      .optional()
      .describe('When it was changed last; left out where it is as it was written'),
    quoteId: z
      .string()
      .optional()
      .describe('The comment that it answers, which may have been deleted since'),
    reaction: z
      .array(
        z.object({
          reaction: z.string().describe('An emoji'),
          user: z.array(z.string()).describe('The ids of those who reacted with it'),
        }),
      )
      .optional()
      .describe('How people reacted; left out where nobody did'),
  })
  .meta({ id: 'Comment' })

/** The people whom comments name, by id. */
export const commentPeople = userMapOutput.describe(
  'Who wrote, who is mentioned and who reacted, by id',
)

/** A comment with the people whom it names. */
export const oneCommentOutput = commentOutput
  .extend({ userMap: commentPeople })
  .meta({ id: 'CommentWithPeople' })

/** The comment as callers see it. */
export function toCommentOutput(comment: Comment): z.output<typeof commentOutput> {
  const { id, content, createdBy, createdTime, lastModifiedTime, quoteId, reactions } = comment
  return {
    id,
    content: content as z.output<typeof contentOutput>,
    createdBy,
    createdTime,
    ...(lastModifiedTime !== undefined && { lastModifiedTime }),
    ...(quoteId !== undefined && { quoteId }),
    ...(reactions.length > 0 && {
      reaction: reactions.map(({ reaction, userIds }) => ({ reaction, user: [...userIds] })),
    }),
  }
}

/** The people whom the comments name, as the caller may see them. */
export async function peopleOf(
  { tx, ...viewer }: Viewer & { readonly tx: ReadTx },
  comments: readonly Comment[],
): Promise<z.output<typeof commentPeople>> {
  const ids = new Set<string>()
  for (const { createdBy, content, reactions } of comments) {
    for (const id of [createdBy, ...mentionsIn(content)]) ids.add(id)
    for (const { userIds } of reactions) for (const id of userIds) ids.add(id)
  }
  return userMapOf(viewer, await tx.users.profilesOf([...ids]), ids)
}

/**
 * One comment with the people whom it names, and its version. An access token may write comments without the right to read
 * them: it is told what it has sent, and neither names nor what others have reacted with.
 */
export async function showComment(
  context: Viewer & { readonly tx: ReadTx },
  comment: Comment,
): Promise<z.output<typeof oneCommentOutput> & { readonly version: number }> {
  const { version } = comment
  if (!hasScope(context.actor, 'record|read')) {
    return { ...toCommentOutput({ ...comment, reactions: [] }), userMap: {}, version }
  }
  return { ...toCommentOutput(comment), userMap: await peopleOf(context, [comment]), version }
}
