import { z } from 'zod'
import { isWithinReach } from '../../../access/actor.ts'
import { type Guard, requireScope, requireUserId } from '../../../access/guard.ts'
import type { Lock } from '../../../access/lock.ts'
import { canTake } from '../../../access/roles.ts'
import { noOutput } from '../../../answers/no-output.ts'
import {
  filesLeave,
  requirePeopleRoom,
  requireRoomForReturn,
} from '../../../billing/require-room.ts'
import { DomainError, invalidAt, notFound } from '../../../errors.ts'
import { idSchema } from '../../../ids.ts'
import { onSpace } from '../../../spaces/space-guard.ts'
import type { WriteTx } from '../../../store.ts'
import { type CallContext, defineWrite } from '../../../use-case.ts'
import type { Base } from '../../base.ts'
import { type BaseScope, onBase } from '../../base-guard.ts'
import { placeForBase } from '../../place-in-space.ts'
import { holdTables } from '../hold-tables.ts'
import { moveFiles } from './move-files.ts'
import { movedMeanwhile } from './moved-meanwhile.ts'

const input = z.object({
  baseId: idSchema,
  spaceId: idSchema.describe('The space that the base moves into, last of its bases'),
})

/**
 * Lets those pass who own the space that the base lies in, and may create bases in the one that is named. Both are held, in
 * the order of their ids, and then the base: so do all who put a base into a space.
 */
function onBothSpaces(lock: Lock): Guard<z.output<typeof input>, BaseScope> {
  const actions = ['base|delete', 'space|update', 'base|create'] as const
  return {
    requirement: { on: 'base', actions: [...actions], sessionOnly: false },
    enter: async (tx, actor, { baseId, spaceId }) => {
      const userId = requireUserId(actor)
      const found = await tx.access.findBase(baseId, userId, 'none')
      if (!found) throw notFound('base', baseId)
      const left = found.base.spaceId
      for (const id of [...new Set([left, spaceId])].toSorted()) {
        await tx.access.findSpace(id, userId, lock)
      }
      const passage = await onBase('base|delete', lock).enter(tx, actor, { baseId })
      if (passage.scope.base.spaceId !== left) {
        throw movedMeanwhile()
      }
      requireScope(actor, 'space|update')
      const owned = await tx.access.findSpace(left, userId, 'none')
      const isOwner = owned?.role !== undefined && canTake(owned.role, 'space|update')
      if (!isOwner || !isWithinReach(actor, left)) {
        const message = `Only an owner of the space "${left}" may move its bases into another one`
        throw new DomainError('restricted_resource', message)
      }
      await onSpace('base|create').enter(tx, actor, { spaceId })
      return passage
    },
  }
}

/**
 * Moves a base, with all that is in it, out of its space into another one, where it comes last. Roles in the space that it
 * leaves count no more in it from then on; those of the base itself stay.
 */
export const moveBaseToSpace = defineWrite({
  summary: 'Move a base into another space',
  input,
  output: noOutput,
  access: onBothSpaces('update'),
  run: async (context, { spaceId }) => {
    const { tx, base, userId, now } = context
    if (base.spaceId === spaceId) return
    const order = await placeForBase(tx, spaceId)
    // Whoever writes in one of its tables waits, and is asked again who they are there.
    await holdTables(tx, base.id)
    await requireNoLinksAcross(tx, base)
    await requireRoomThere(context, base, spaceId)
    await moveFiles(context, base, spaceId)
    filesLeave(context, base.spaceId)
    await tx.bases.moveTo(base, { spaceId, order, lastModifiedTime: now })
    tx.emit({ name: 'base.updated', time: now, userId, payload: { spaceId, baseId: base.id } })
  },
})

/** No field reads a table of another space; one that lies in the trash would, once it comes back. */
async function requireNoLinksAcross({ tables }: WriteTx, { id }: Base): Promise<void> {
  const [name] = await tables.linkedAcross(id)
  if (name === undefined) return
  const advice =
    'convert these fields into text, or delete them and purge them from the trash, or move a copy of the base'
  const message = `the table "${name}" is linked with one of another base, by a field of either that is there or in the trash: ${advice}`
  throw invalidAt(['spaceId'], message)
}

/** The level of the space must have room for what comes, and let it run. */
async function requireRoomThere(
  context: CallContext & { readonly tx: WriteTx },
  base: Base,
  spaceId: string,
): Promise<void> {
  const { tx, plans } = context
  const people = await tx.collaborators.list([{ resourceType: 'base', resourceId: base.id }])
  const userIds = people.map(({ userId }) => userId)
  await requirePeopleRoom(context, { resourceType: 'space', resourceId: spaceId }, userIds)
  const workflows = await tx.workflows.listOf(base.id)
  if (workflows.some(({ activeBy }) => activeBy !== null)) {
    plans.requireOn(spaceId, 'automationEnable')
  }
  await requireRoomForReturn(context, spaceId, { type: 'base', id: base.id })
}
