import type { Base } from '../bases/base.ts'
import { invalidAt } from '../errors.ts'
import { findCollaborators } from '../records/reading/find-collaborators.ts'
import type { ReadTx } from '../store.ts'
import { type CommentBlock, mentionsIn } from './comment-content.ts'

/** Refuses content that mentions somebody without a role in the base, unless it is known already, at their place in it. */
export async function requireMentionable(
  { tx, base }: { readonly tx: ReadTx; readonly base: Base },
  content: readonly CommentBlock[],
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (mentionsIn(content).isSubsetOf(known)) return
  const people = await findCollaborators(tx, base)
  for (const [index, { children }] of content.entries()) {
    const wrong = children.findIndex(
      (part) =>
        part.type === 'mention' && !known.has(part.value) && people.name(part.value) === undefined,
    )
    if (wrong < 0) continue
    const path = ['content', index, 'children', wrong, 'value']
    throw invalidAt(path, 'must be the id of a user with a role in the base')
  }
}
