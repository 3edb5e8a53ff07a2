import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import type { Space } from './space.ts'

/** Adds a space with the user as its owner, and tells of it. */
export async function addSpace(
  { tx, now, ids }: Pick<CallContext, 'now' | 'ids'> & { readonly tx: WriteTx },
  { userId, name }: { readonly userId: string; readonly name: string },
): Promise<Space> {
  const space: Space = {
    id: ids.next('space'),
    name,
    createdBy: userId,
    createdTime: now,
    version: 1,
  }
  await tx.spaces.insert(space)
  await tx.collaborators.insert({
    resourceType: 'space',
    resourceId: space.id,
    userId,
    role: 'owner',
    createdBy: userId,
    createdTime: now,
  })
  tx.emit({ name: 'space.created', time: now, userId, payload: { spaceId: space.id } })
  return space
}
