import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { spaceName, toSpaceName } from '../space.ts'
import { onSpace } from '../space-guard.ts'

/** Renames a space; without a name nothing changes. */
export const renameSpace = defineWrite({
  summary: 'Rename a space',
  input: z.object({ spaceId: idSchema, name: nameSchema.optional() }),
  output: spaceName,
  access: showing(onSpace('space|update', 'update'), 'space|read'),
  run: async ({ tx, space, userId, now }, { name }) => {
    if (name === undefined || name === space.name) return toSpaceName(space)
    const renamed = await tx.spaces.rename(space.id, name)
    tx.emit({ name: 'space.updated', time: now, userId, payload: { spaceId: space.id } })
    return toSpaceName(renamed)
  },
})
