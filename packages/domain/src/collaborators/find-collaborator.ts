import type { BaseScope } from '../bases/base-guard.ts'
import { notFound } from '../errors.ts'
import type { SpaceScope } from '../spaces/space-guard.ts'
import type { ReadTx } from '../store.ts'
import { type Collaborator, requireWeaker } from './collaborator.ts'

/** A collaborator of the space whom the caller may change or remove: themself, or somebody weaker. */
export async function findSpaceCollaborator(
  { tx, space, role, userId }: SpaceScope & { readonly tx: ReadTx },
  principalId: string,
): Promise<Collaborator> {
  const place = { resourceType: 'space', resourceId: space.id } as const
  const collaborator = await tx.collaborators.find(place, principalId)
  if (!collaborator) throw notFound('collaborator', principalId)
  if (principalId !== userId) requireWeaker(role, collaborator.role)
  return collaborator
}

/** A collaborator of the base itself whom the caller may change or remove: themself, or somebody weaker. */
export async function findBaseCollaborator(
  { tx, base, role, userId }: BaseScope & { readonly tx: ReadTx },
  principalId: string,
): Promise<Collaborator> {
  const place = { resourceType: 'base', resourceId: base.id } as const
  const collaborator = await tx.collaborators.find(place, principalId)
  if (!collaborator) throw notFound('collaborator', principalId)
  if (principalId === userId) return collaborator
  const theirs = await tx.access.findBase(base.id, principalId, 'none')
  requireWeaker(role, theirs?.role ?? collaborator.role)
  return collaborator
}
