import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { iconSchema, nameSchema } from '../../values/names.ts'
import { type Base, newBaseOutput } from '../base.ts'
import { placeForBase } from '../place-in-space.ts'

/** Creates a base, last in its space. Names may repeat. */
export const createBase = defineWrite({
  summary: 'Create a base',
  input: z.object({
    spaceId: idSchema,
    name: nameSchema.optional(),
    icon: iconSchema.nullable().optional(),
  }),
  output: newBaseOutput,
  access: onSpace('base|create', 'update'),
  run: async ({ tx, space, userId, now, ids }, { name = 'Untitled Base', icon = null }) => {
    const order = await placeForBase(tx, space.id)
    const base: Base = {
      id: ids.next('base'),
      spaceId: space.id,
      name,
      icon,
      order,
      createdBy: userId,
      createdTime: now,
      lastModifiedTime: now,
      version: 1,
    }
    await tx.bases.insert(base)
    const payload = { spaceId: space.id, baseId: base.id }
    tx.emit({ name: 'base.created', time: now, userId, payload })
    return { id: base.id, name, spaceId: space.id, version: base.version }
  },
})
