import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { findPlugins } from '../../plugins/find-plugin.ts'
import { defineRead } from '../../use-case.ts'
import { isAlive } from '../grant-actor.ts'

/** Lists what plugins may do in the caller's name, oldest first: grants that have ended are left out. */
export const listPluginGrants = defineRead({
  summary: 'List which plugins may act on my behalf',
  input: z.object({}),
  output: z.array(
    z
      .object({
        id: z.string().describe('The id of the grant; not a secret'),
        plugin: z
          .object({ id: z.string(), name: z.string(), logo: z.string() })
          .describe('The plugin that acts'),
        base: z
          .object({ id: z.string(), name: z.string().optional() })
          .describe(
            'The base in which it acts; without a name where the caller has no role any more',
          ),
        scopes: z
          .array(z.string())
          .describe('The actions that it asked for; none as long as it has not begun'),
        createdTime: z.string().describe('Since when it may'),
        expiredTime: z.string().describe('When that ends, unless it asks for new tokens before'),
        lastUsedTime: z.string().optional().describe('When it last acted, roughly'),
      })
      .meta({ id: 'PluginGrant' }),
  ),
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, userId, now }) => {
    const kept = await tx.pluginGrants.listOf(userId)
    const plugins = await findPlugins(
      tx,
      kept.map(({ pluginId }) => pluginId),
    )
    const baseIds = [...new Set(kept.map(({ baseId }) => baseId))]
    const bases = await tx.bases.listAll(userId, { spaceIds: [], baseIds })
    const nameById = new Map(bases.map(({ base: { id, name } }) => [id, name]))
    return kept.flatMap((grant) => {
      const { id, pluginId, baseId, scopes, createdTime, expiresTime, lastUsedTime } = grant
      const plugin = plugins.get(pluginId)
      if (!plugin || !isAlive(plugin, grant) || expiresTime <= now) return []
      const name = nameById.get(baseId)
      return {
        ...{ id, plugin: { id: pluginId, name: plugin.name, logo: plugin.logo } },
        base: { id: baseId, ...(name !== undefined && { name }) },
        ...{ scopes: [...scopes], createdTime, expiredTime: expiresTime },
        ...(lastUsedTime !== undefined && { lastUsedTime }),
      }
    })
  },
})
