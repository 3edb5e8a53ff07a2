import type { Operation } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import type { Actor } from '@gateleg/domain/access/actor'
import { type Action, canTake, isAtLeast, type Role } from '@gateleg/domain/access/roles'
import type { Sample } from '@gateleg/testing/operations/operation-sample'
import { samplesIn } from '@gateleg/testing/operations/operation-samples'
import type { Cast, Place } from '@gateleg/testing/worlds/place'
import type { World } from '@gateleg/testing/worlds/world'

/** The operations whose guard decides by role; those about the caller's own account are further down. */
export const placed = operations.filter(({ useCase }) =>
  ['space', 'base', 'table', 'node'].includes(useCase.access.requirement.on),
)

export interface Case {
  readonly operation: Operation
  readonly sample: Sample
  readonly needed: readonly Action[]
}

export function casesOf(operation: Operation, place: Place, cast: Cast): readonly Case[] {
  const samples = samplesIn(place, cast)
  const [feature = '', name = ''] = operation.name.split('.')
  const found = (samples as Record<string, Record<string, Sample | Sample[]>>)[feature]?.[name]
  return [found ?? []].flat().map((sample) => ({
    operation,
    sample,
    needed: sample.actions ?? operation.useCase.access.requirement.actions,
  }))
}

/** Whether the role may take all the actions, and is as powerful as the operation asks for beside them. */
export function mayCall(role: Role, { operation, needed }: Case): boolean {
  const { lowestRole = role } = operation.useCase.access.requirement
  return isAtLeast(role, lowestRole) && needed.every((action) => canTake(role, action))
}

/** How a call ended: 'done', or the code of its refusal. */
export async function outcomeOf(
  world: World,
  { operation, sample }: Case,
  actor: Actor,
): Promise<string> {
  try {
    const own = 'userId' in actor ? sample.ownOf?.(actor.userId) : undefined
    await world.engine.call(operation.name, actor, { ...sample.input, ...own })
    return 'done'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

/** Everything that is stored of a place, as its owner sees it. */
export async function pictureOf(place: Place, { owner: { api } }: Cast): Promise<string> {
  const { spaceId, baseId } = place
  const { hash } = await api.bases.verifyBase({ baseId })
  const rest = [
    await api.spaces.getSpace({ spaceId }),
    await api.bases.listBases({ spaceId }),
    await api.collaborators.listSpaceCollaborators({ spaceId }),
    await api.collaborators.listBaseCollaborators({ baseId }),
  ]
  return JSON.stringify([hash, rest])
}
