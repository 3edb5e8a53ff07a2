import { z } from 'zod'
import { isWithinReach } from '../../../access/actor.ts'
import { noOutput } from '../../../answers/no-output.ts'
import { invalidAt, notFound } from '../../../errors.ts'
import { idSchema } from '../../../ids.ts'
import { defineWrite } from '../../../use-case.ts'
import { compareOrder, ordersAt } from '../../../values/ordering.ts'
import { onBase } from '../../base-guard.ts'
import { movedMeanwhile } from './moved-meanwhile.ts'

/**
 * Moves a base beside another one of its space. The places of a space's bases are held through the
 * space: two moves that held a base each would wait for one another.
 */
export const moveBase = defineWrite({
  summary: 'Move a base among the bases of its space',
  input: z.object({
    baseId: idSchema,
    anchorId: idSchema,
    position: z.enum(['before', 'after']),
  }),
  output: noOutput,
  access: onBase('base|update'),
  run: async ({ tx, base, actor, userId, now }, { anchorId, position }) => {
    if (anchorId === base.id) {
      throw invalidAt(['anchorId'], 'must be another base than the one that is moved')
    }
    await tx.access.findSpace(base.spaceId, userId, 'update')
    // While the space was waited for, the base may have gone, or the role of the caller.
    const { scope } = await onBase('base|update').enter(tx, actor, { baseId: base.id })
    if (scope.base.spaceId !== base.spaceId) throw movedMeanwhile()
    const anchor = await tx.access.findBase(anchorId, userId, 'none')
    const canSee = anchor?.role !== undefined && isWithinReach(actor, base.spaceId, anchorId)
    if (!canSee || anchor.base.spaceId !== base.spaceId) throw notFound('base', anchorId)
    const places = (await tx.bases.listPlaces(base.spaceId)).toSorted(compareOrder)
    const siblings = places.filter(({ id }) => id !== base.id)
    const anchorIndex = siblings.findIndex(({ id }) => id === anchorId)
    const index = position === 'after' ? anchorIndex + 1 : anchorIndex
    if (places.findIndex(({ id }) => id === base.id) === index) return
    await tx.bases.place(ordersAt(siblings, index, [base.id]))
    const payload = { spaceId: base.spaceId, baseId: base.id }
    tx.emit({ name: 'base.updated', time: now, userId, payload })
  },
})
