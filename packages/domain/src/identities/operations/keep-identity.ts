import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import type { Identity } from '../identity.ts'

/** An identity that is not kept yet. */
export type NewIdentity = Omit<Identity, 'id' | 'userId' | 'createdTime'>

/**
 * Keeps the identity as the user's. `restricted_resource` where they have as many as a user can have, `conflict` where it has become
 * somebody's meanwhile.
 */
export async function keepIdentity(
  { tx, ids, now }: CallContext & { readonly tx: WriteTx },
  { providerId, spaceId, authority, subject }: NewIdentity,
  userId: string,
): Promise<void> {
  const { length } = await tx.identities.listOf(userId)
  if (length >= limits.identitiesPerUser) {
    const message = `A user has ${limits.identitiesPerUser} identities at most: unlink one first`
    throw new DomainError('restricted_resource', message)
  }
  const id = ids.next('identity')
  await tx.identities.insert({
    ...{ id, userId, providerId, spaceId, authority, subject, createdTime: now },
  })
}
