import type { Role } from '../access/roles.ts'
import { requirePeopleRoom } from '../billing/require-room.ts'
import { invalid, invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ReadTx, WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import type { CollaboratorPlace } from './collaborator-repository.ts'

/** What it takes to let somebody into a space or a base. */
export type PlaceContext = CallContext & { readonly tx: WriteTx; readonly userId: string }

type PathOf = (index: number) => readonly (string | number)[]

/**
 * The ids, each once, of users who can all be given a role in a place that is held for update.
 * `validation_error` when one has a role in the place itself already, at the path that the index of the
 * first such id has in the input, when there would be too many, and when one of them is in too many of that kind.
 * Calls at the same time may go past the last by one each: what it bounds is a list, not a sum.
 */
export async function requireJoinable(
  tx: ReadTx,
  place: CollaboratorPlace,
  ids: readonly string[],
  pathOf: PathOf,
): Promise<readonly string[]> {
  const present = new Set((await tx.collaborators.list([place])).map(({ userId }) => userId))
  const twice = ids.flatMap((id, index) => (present.has(id) ? [index] : []))
  if (twice.length > 0) {
    const message = `already has a role in this ${place.resourceType}: change that role instead`
    throw invalid(twice.map((index) => ({ path: [...pathOf(index)], message })))
  }
  const addedIds = [...new Set(ids)]
  if (present.size + addedIds.length > limits.collaboratorsPerResource) {
    const message = `a ${place.resourceType} has ${limits.collaboratorsPerResource} collaborators at most`
    throw invalidAt(pathOf(0).slice(0, 1), message)
  }
  await requireInFew(tx, place, ids, pathOf)
  return addedIds
}

/** Says no more than that there are too many: how many, and which, are nobody else's business. */
async function requireInFew(
  tx: ReadTx,
  { resourceType }: CollaboratorPlace,
  ids: readonly string[],
  pathOf: PathOf,
): Promise<void> {
  if (ids.length === 0) return
  const most = resourceType === 'space' ? limits.spacesJoined : limits.basesJoined
  const full = new Set(await tx.collaborators.usersInPlacesOfOthers(resourceType, ids, most))
  const wrong = ids.flatMap((id, index) => (full.has(id) ? [index] : []))
  const message = `belongs to somebody who has a role in too many ${resourceType}s: they have to leave one first`
  if (wrong.length > 0) {
    throw invalid(wrong.map((index) => ({ path: [...pathOf(index)], message })))
  }
}

/**
 * Gives users who are there the role in a place that is held for update; an id that stands twice counts
 * once. Refuses what `requireJoinable` does: then nobody is added.
 */
export async function joinPlace(
  context: PlaceContext,
  place: CollaboratorPlace,
  role: Role,
  ids: readonly string[],
  pathOf: PathOf,
): Promise<void> {
  const { tx, now, userId } = context
  await requireThere(tx, ids, pathOf)
  const addedIds = await requireJoinable(tx, place, ids, pathOf)
  if (addedIds.length === 0) return
  await requirePeopleRoom(context, place, addedIds)
  await tx.collaborators.insertAll(
    addedIds.map((id) => ({ ...place, userId: id, role, createdBy: userId, createdTime: now })),
  )
  for (const id of addedIds) {
    const payload = { ...place, userId: id }
    tx.emit({ name: 'collaborator.added', time: now, userId, payload })
  }
}

/** Holds the users, so that no account ends meanwhile; `validation_error` where one isn't there. */
async function requireThere(tx: ReadTx, ids: readonly string[], pathOf: PathOf): Promise<void> {
  const living = await tx.users.livingAmong([...new Set(ids)], 'share')
  const unknown = ids.flatMap((id, index) => (living.has(id) ? [] : [index]))
  if (unknown.length === 0) return
  throw invalid(
    unknown.map((index) => ({ path: [...pathOf(index)], message: 'must be the id of a user' })),
  )
}
