import type { BaseScope } from '../../bases/base-guard.ts'
import { invalid } from '../../errors.ts'
import type { SpaceScope } from '../../spaces/space-guard.ts'
import type { ReadTx } from '../../store.ts'
import type { CollaboratorPlace } from '../collaborator-repository.ts'

/** A space or base that people are invited to, and the space: its roles hold in the base too. */
export interface InvitersPlace extends CollaboratorPlace {
  readonly spaceId: string
}

/** The space that a guard let its inviter into. */
export function toInvitersSpace({ space }: Pick<SpaceScope, 'space'>): InvitersPlace {
  return { resourceType: 'space', resourceId: space.id, spaceId: space.id }
}

/** The base that a guard let its inviter into. */
export function toInvitersBase({ base }: Pick<BaseScope, 'base'>): InvitersPlace {
  return { resourceType: 'base', resourceId: base.id, spaceId: base.spaceId }
}

/**
 * `validation_error` when one of the users has a role in the base by its space, at the path that the index
 * of the id has in the input.
 */
export async function requireNoneBySpace(
  tx: ReadTx,
  { resourceType, spaceId }: InvitersPlace,
  ids: readonly string[],
  pathOf: (index: number) => readonly (string | number)[],
): Promise<void> {
  if (resourceType === 'space') return
  const inSpace = await tx.collaborators.list([{ resourceType: 'space', resourceId: spaceId }])
  const present = new Set(inSpace.map(({ userId }) => userId))
  const twice = ids.flatMap((id, index) => (present.has(id) ? [index] : []))
  const message = 'already has a role in this base through its space: change the role there instead'
  if (twice.length > 0) throw invalid(twice.map((index) => ({ path: [...pathOf(index)], message })))
}
