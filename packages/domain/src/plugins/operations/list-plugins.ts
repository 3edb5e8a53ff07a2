import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { listedPluginOutput, pluginOutput, toListedPlugin, toPluginOutput } from '../plugin.ts'
import { onSeenPlugin } from '../plugin-guard.ts'

/** Lists the plugins that the caller made, oldest first. */
export const listPlugins = defineRead({
  summary: 'List my plugins',
  input: z.object({}),
  output: z.array(listedPluginOutput),
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, userId }) => (await tx.plugins.listOf(userId)).map(toListedPlugin),
})

/** Answers one plugin that the caller made, its secret masked; to the administrator what others handed in, too. */
export const getPlugin = defineRead({
  summary: 'Get a plugin',
  input: z.object({ pluginId: idSchema }),
  output: pluginOutput,
  access: onSeenPlugin(),
  run: async ({ plugin }) => toPluginOutput(plugin),
})
