import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onOwnPlugin } from '../plugin-guard.ts'

/** Gives a plugin a new secret, shown in this answer alone. The old one is good for nothing any more. */
export const regeneratePluginSecret = defineWrite({
  summary: 'Give a plugin a new secret',
  input: z.object({ pluginId: idSchema }),
  output: z.object({ id: z.string(), secret: z.string().describe('Shown this once') }),
  answers: 'secret',
  access: onOwnPlugin('update'),
  needs: ['secrets'],
  run: async ({ tx, plugin, now, secrets }) => {
    const secret = secrets.token()
    const version = plugin.version + 1
    const secretHash = secrets.digest(secret)
    await tx.plugins.update({ ...plugin, secretHash, lastModifiedTime: now, version })
    return { id: plugin.id, secret, version }
  },
})
