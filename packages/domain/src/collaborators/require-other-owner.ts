import { DomainError } from '../errors.ts'
import type { ReadTx } from '../store.ts'
import type { Collaborator } from './collaborator.ts'

/** Refuses to take the role from the only owner of a space, which must be held for update. */
export async function requireOtherOwner(tx: ReadTx, collaborator: Collaborator): Promise<void> {
  if (collaborator.role !== 'owner') return
  if ((await tx.collaborators.countRole(collaborator, 'owner')) > 1) return
  throw new DomainError(
    'restricted_resource',
    'A space keeps at least one owner: make somebody else an owner first',
  )
}
