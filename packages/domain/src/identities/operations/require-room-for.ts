import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { WriteTx } from '../../store.ts'

/** `restricted_resource` where the user has as many identities as a user can have. */
export async function requireRoomFor(tx: WriteTx, userId: string): Promise<void> {
  const { length } = await tx.identities.listOf(userId)
  if (length < limits.identitiesPerUser) return
  const message = `A user has ${limits.identitiesPerUser} identities at most: unlink one first`
  throw new DomainError('restricted_resource', message)
}
