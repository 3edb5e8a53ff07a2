import { z } from 'zod'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { invalidAt, notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import type { WriteTx } from '../../store.ts'
import { defineWrite } from '../../use-case.ts'
import { getSeen } from '../find-seen.ts'
import { isSame, type Pin } from '../pin.ts'
import { seenTypes } from '../seen-resource.ts'

const typeSchema = z.enum(seenTypes)

const pinShape = {
  type: typeSchema.describe('What it is'),
  id: idSchema.describe('The id of the resource'),
}

/** The account is held: calls of one user change their pins one after another. */
const access = onOwnAccount({ sessionOnly: true, lock: 'update' })

/** Pins what the caller may read, behind what they have pinned; what is pinned already stays where it is. */
export const addPin = defineWrite({
  summary: 'Pin something',
  input: z.object(pinShape),
  output: noOutput,
  access,
  run: async ({ tx, userId }, { type, id }) => {
    const { parentId, baseId } = await getSeen(tx, userId, { type, id })
    const pins = await tx.pins.listOf(userId)
    if (pins.some((pin) => isSame(pin, { type, id }))) return
    const kept = pins.length < limits.pinsPerUser ? pins : await onlySeen(tx, userId, pins)
    if (kept.length >= limits.pinsPerUser) {
      throw invalidAt(['id'], `there are ${limits.pinsPerUser} pins at most: unpin something first`)
    }
    await keep(tx, userId, [...kept, { userId, type, id, parentId, baseId, order: 0 }])
  },
})

/** Unpins something, which the caller may no longer be able to read. */
export const removePin = defineWrite({
  summary: 'Unpin something',
  input: z.object(pinShape),
  output: noOutput,
  access,
  run: async ({ tx, userId }, named) => {
    const pins = await tx.pins.listOf(userId)
    const others = pins.filter((pin) => !isSame(pin, named))
    if (others.length === pins.length) throw notFound('pin', named.id)
    await keep(tx, userId, others)
  },
})

/** Puts a pin beside another one. */
export const movePin = defineWrite({
  summary: 'Move a pin',
  input: z.object({
    ...pinShape,
    anchorId: idSchema.describe('The id of what is pinned beside which it is put'),
    anchorType: typeSchema.describe('What that is'),
    position: z.enum(['before', 'after']).describe('On which side of it'),
  }),
  output: noOutput,
  access,
  run: async ({ tx, userId }, { type, id, anchorId, anchorType, position }) => {
    const anchor = { type: anchorType, id: anchorId }
    if (isSame(anchor, { type, id })) {
      throw invalidAt(['anchorId'], 'must be another pin than the one that is moved')
    }
    const pins = await tx.pins.listOf(userId)
    const moved = pins.find((pin) => isSame(pin, { type, id }))
    if (!moved) throw notFound('pin', id)
    const others = pins.filter((pin) => pin !== moved)
    const at = others.findIndex((pin) => isSame(pin, anchor))
    if (at < 0) throw notFound('pin', anchorId)
    await keep(tx, userId, others.toSpliced(position === 'after' ? at + 1 : at, 0, moved))
  },
})

/** Those of what the user may still read: the others make room where it is short. */
async function onlySeen(
  tx: WriteTx,
  userId: string,
  pins: readonly Pin[],
): Promise<readonly Pin[]> {
  const seen = await tx.seenResources.find(userId, pins)
  return pins.filter((pin) => seen.some((one) => isSame(one, pin)))
}

function keep(tx: WriteTx, userId: string, pins: readonly Pin[]): Promise<void> {
  return tx.pins.replaceAll(
    userId,
    pins.map((pin, order) => ({ ...pin, order })),
  )
}
