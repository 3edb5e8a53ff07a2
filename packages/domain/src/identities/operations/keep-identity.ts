import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import type { Identity } from '../identity.ts'

/** An identity that is not kept yet. */
export type NewIdentity = Omit<Identity, 'id' | 'userId' | 'createdTime'>

/** Keeps the identity as the user's. `conflict` where it has become somebody's meanwhile. */
export async function keepIdentity(
  { tx, ids, now }: CallContext & { readonly tx: WriteTx },
  { providerId, spaceId, authority, subject }: NewIdentity,
  userId: string,
): Promise<void> {
  const id = ids.next('identity')
  await tx.identities.insert({
    ...{ id, userId, providerId, spaceId, authority, subject, createdTime: now },
  })
}
