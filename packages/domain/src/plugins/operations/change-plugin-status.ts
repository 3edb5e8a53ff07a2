import { z } from 'zod'
import type { Guard } from '../../access/guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { DomainError } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { type PluginStatus, toStatus } from '../plugin.ts'
import { onOwnPlugin, onSubmittedPlugin, type PluginScope } from '../plugin-guard.ts'

/** Its maker hands a plugin in, for the administrator to look at. */
export const submitPlugin = changing({
  summary: 'Submit a plugin for review',
  access: onOwnPlugin('update'),
  from: ['developing'],
  to: 'reviewing',
})

/** Its maker takes a plugin back that was handed in, or published. */
export const unpublishPlugin = changing({
  summary: 'Withdraw a plugin',
  access: onOwnPlugin('update'),
  from: ['reviewing', 'published'],
  to: 'developing',
})

/** The administrator lets everybody install a plugin that was handed in. */
export const publishPlugin = changing({
  summary: 'Publish a submitted plugin',
  access: onSubmittedPlugin(),
  from: ['reviewing'],
  to: 'published',
})

/** The administrator hands a plugin back to its maker. */
export const withdrawPlugin = changing({
  summary: 'Hand a plugin back to its maker',
  access: onSubmittedPlugin(),
  from: ['reviewing', 'published'],
  to: 'developing',
})

/** A step on a plugin's way; from elsewhere it is refused with `conflict`, and changes nothing. */
function changing({
  summary,
  access,
  from,
  to,
}: {
  readonly summary: string
  readonly access: Guard<{ pluginId: string }, PluginScope>
  readonly from: readonly PluginStatus[]
  readonly to: PluginStatus
}) {
  return defineWrite({
    summary,
    input: z.object({ pluginId: idSchema }),
    output: noOutput,
    access,
    run: async ({ tx, plugin, now }) => {
      if (!from.includes(plugin.status)) {
        const wanted = from.map((status) => `"${status}"`).join(' or ')
        const message = `The plugin is "${plugin.status}": this takes one that is ${wanted}`
        throw new DomainError('conflict', message)
      }
      if (to === 'published') {
        const count = await tx.plugins.countPublishedHeld()
        if (count >= limits.publishedPlugins) {
          const message = `${count} plugins are published, which is the most: withdraw one first`
          throw new DomainError('restricted_resource', message)
        }
      }
      await tx.plugins.update({ ...toStatus(plugin, to), lastModifiedTime: now })
    },
  })
}
