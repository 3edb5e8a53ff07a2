import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onOwnPlugin } from '../plugin-guard.ts'

/** Removes a plugin from the registry, for good. Where it was installed, its name and its storage stay. */
export const deletePlugin = defineWrite({
  summary: 'Delete a plugin',
  input: z.object({ pluginId: idSchema }),
  output: noOutput,
  access: onOwnPlugin('update'),
  run: ({ tx, plugin }) => tx.plugins.delete(plugin.id),
})
