import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { shownPicture } from '../../accounts/users/shown-picture.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineRead } from '../../use-case.ts'
import { installablePluginOutput, pageUrlOf, pluginPositions, toListedPlugin } from '../plugin.ts'
import { shippedPlugins, shippingProduct } from '../shipped-plugins.ts'

/** Lists what the caller may install: what ships with the product first, then what is published, then their own. */
export const listInstallablePlugins = defineRead({
  summary: 'List the plugins that I may install',
  input: z.object({
    ids: z.array(idSchema).max(limits.pluginsPerList).optional().describe('These alone'),
    positions: z
      .array(z.enum(pluginPositions))
      .max(pluginPositions.length)
      .optional()
      .describe('Those alone that are made for one of these'),
  }),
  output: z.array(installablePluginOutput),
  access: signedIn(),
  needs: ['settings'],
  run: async ({ tx, actor, userId, settings }, { ids, positions }) => {
    const published = await tx.plugins.listPublished()
    // What is published to nobody is for its maker alone, not for what acts in their name.
    const own = actor.kind === 'token' ? [] : await tx.plugins.listOf(userId)
    const all = [
      ...shippedPlugins.values(),
      ...published,
      ...own.filter(({ status }) => status !== 'published'),
    ]
    const shown = all.filter(
      (plugin) =>
        (ids === undefined || ids.includes(plugin.id)) &&
        (positions === undefined || plugin.positions.some((one) => positions.includes(one))),
    )
    const makers = await tx.users.profilesOf([...new Set(shown.map(({ createdBy }) => createdBy))])
    return shown.map((plugin) => {
      const { createdBy: id } = plugin
      const maker = makers.get(id)
      const createdBy = maker
        ? { id, name: maker.name, ...shownPicture(settings, maker) }
        : shippingProduct
      return { ...toListedPlugin({ ...plugin, url: pageUrlOf(plugin, settings) }), createdBy }
    })
  },
})
