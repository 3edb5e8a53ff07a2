import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import type { Comment } from './comment.ts'
import type { CommentScope } from './comment-guard.ts'

type Context = CallContext & CommentScope & { readonly tx: WriteTx }

/** Keeps a comment that was changed, its version counted, and says so. Answers it as it is then. */
export async function saveComment(
  { tx, now, userId, comment }: Context,
  changes: Pick<Comment, 'content' | 'lastModifiedTime'> | Pick<Comment, 'reactions'>,
): Promise<Comment> {
  const changed = { ...comment, ...changes, version: comment.version + 1 }
  await tx.comments.update(changed)
  const { tableId, recordId, id: commentId } = comment
  tx.emit({ name: 'comment.updated', time: now, userId, payload: { tableId, recordId, commentId } })
  return changed
}
