import { decide, type Guard, requireScope } from '../access/guard.ts'
import type { Action } from '../access/roles.ts'
import { DomainError, notFound } from '../errors.ts'
import { onRecord, type RecordScope } from '../records/record-guard.ts'
import type { Comment } from './comment.ts'

/** What a guard has found of the comment that a call names. */
export interface CommentScope extends RecordScope {
  readonly comment: Comment
}

interface Named {
  readonly tableId: string
  readonly recordId: string
  readonly commentId: string
}

/** Lets those pass who may read the record, for a comment of it. */
export function onReadComment(): Guard<Named, CommentScope> {
  return onComment('record|read', 'none')
}

/** Lets those pass who may comment on the record, for a comment of it, whoever wrote it; it is held from here on. */
export function onAnyComment(): Guard<Named, CommentScope> {
  return onComment('record|comment', 'update')
}

/** Lets those pass who may comment on the record and wrote the comment; it is held from here on. */
export function onOwnComment(): Guard<Named, CommentScope> {
  const guard = onAnyComment()
  return {
    ...guard,
    enter: async (tx, actor, input) => {
      const passage = await guard.enter(tx, actor, input)
      const { comment, userId } = passage.scope
      if (comment.createdBy === userId) return passage
      throw new DomainError('restricted_resource', 'Only who wrote a comment may change it')
    },
  }
}

/** Comments of others are deleted by those who arrange the table. */
const deletionAction: Action = 'table|update'

/** Lets those pass who have written the comment, or may delete those of others. A token needs both scopes either way. */
export function onDeletedComment(): Guard<Named, CommentScope> {
  const guard = onAnyComment()
  const { requirement } = guard
  const actions = [deletionAction, ...requirement.actions]
  return {
    requirement: { ...requirement, actions, enoughForOwn: 'record|comment' },
    enter: async (tx, actor, input) => {
      const passage = await guard.enter(tx, actor, input)
      const { base, comment, role, userId } = passage.scope
      requireScope(actor, deletionAction)
      if (comment.createdBy === userId) return passage
      const place = { spaceId: base.spaceId, baseId: base.id, what: 'comment', id: comment.id }
      decide(actor, role, deletionAction, place)
      return passage
    },
  }
}

function onComment(action: Action, lock: 'none' | 'update'): Guard<Named, CommentScope> {
  const record = onRecord(action, lock === 'none' ? 'none' : 'share')
  return {
    requirement: record.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await record.enter(tx, actor, input)
      const comment = await tx.comments.find(input.commentId, lock)
      if (comment?.tableId !== input.tableId || comment.recordId !== input.recordId) {
        throw notFound('comment', input.commentId)
      }
      return { scope: { ...scope, comment }, version: comment.version }
    },
  }
}
