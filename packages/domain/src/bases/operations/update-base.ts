import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { iconSchema, nameSchema } from '../../values/names.ts'
import { type Base, baseSettingsOutput } from '../base.ts'
import { onBase } from '../base-guard.ts'

/** Changes the name or the icon of a base; a null icon takes it away. */
export const updateBase = defineWrite({
  summary: 'Rename a base or change its icon',
  input: z.object({
    baseId: idSchema,
    name: nameSchema.optional(),
    icon: iconSchema.nullable().optional(),
  }),
  output: baseSettingsOutput,
  access: showing(onBase('base|update', 'update'), 'base|read'),
  run: async ({ tx, base, userId, now }, { name = base.name, icon = base.icon }) => {
    if (name === base.name && icon === base.icon) return toSettings(base)
    const changed = await tx.bases.update(base.id, { name, icon, lastModifiedTime: now })
    const payload = { spaceId: base.spaceId, baseId: base.id }
    tx.emit({ name: 'base.updated', time: now, userId, payload })
    return toSettings(changed)
  },
})

function toSettings({ spaceId, name, icon, version }: Base) {
  return { spaceId, name, icon, version }
}
