import type { Role } from '../access/roles.ts'
import { invalid, invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import type { CollaboratorPlace } from './collaborator-repository.ts'

export type PlaceContext = CallContext & { readonly tx: WriteTx; readonly userId: string }

/**
 * Gives users who are there the role in a place that is held for update; an id that stands twice counts
 * once. `validation_error` when one has a role in the place itself already, at the path that the index of
 * the first such id has in the input, and when there would be too many: then nobody is added.
 */
export async function joinPlace(
  { tx, now, userId }: PlaceContext,
  place: CollaboratorPlace,
  role: Role,
  ids: readonly string[],
  pathOf: (index: number) => readonly (string | number)[],
): Promise<void> {
  const present = new Set((await tx.collaborators.list([place])).map(({ userId }) => userId))
  const twice = ids.flatMap((id, index) => (present.has(id) ? [index] : []))
  if (twice.length > 0) {
    const message = `has a role in this ${place.resourceType} already: change it instead`
    throw invalid(twice.map((index) => ({ path: [...pathOf(index)], message })))
  }
  const addedIds = [...new Set(ids)]
  if (present.size + addedIds.length > limits.collaboratorsPerResource) {
    const message = `there are ${limits.collaboratorsPerResource} collaborators at most`
    throw invalidAt(pathOf(0).slice(0, 1), message)
  }
  if (addedIds.length === 0) return
  await tx.collaborators.insertAll(
    addedIds.map((id) => ({ ...place, userId: id, role, createdBy: userId, createdTime: now })),
  )
  for (const id of addedIds) {
    const payload = { ...place, userId: id }
    tx.emit({ name: 'collaborator.added', time: now, userId, payload })
  }
}
