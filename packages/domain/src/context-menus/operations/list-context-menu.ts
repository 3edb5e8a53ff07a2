import { z } from 'zod'
import { storageOf } from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { pageFor } from '../../plugin-installs/page-for.ts'
import { findPlugin, findPlugins } from '../../plugins/find-plugin.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { onMenuEntry } from '../menu-guard.ts'

const ofOne = z.object({ tableId: idSchema, pluginInstallId: idSchema })

/** What all answers about one entry have. */
const entry = z.object({
  name: z.string().describe('What it is called there'),
  tableId: z.string(),
  pluginId: z.string().describe('The id of the plugin'),
  pluginInstallId: z.string().describe('The id of the entry'),
})

/** Lists the plugins in the menu of a table's records, in their order. */
export const listContextMenu = defineRead({
  summary: 'List the plugins in the context menu of a table',
  input: z.object({ tableId: idSchema }),
  output: z.array(
    z
      .object({
        pluginInstallId: z.string().describe('The id of the entry'),
        name: z.string().describe('What it is called there'),
        pluginId: z.string().describe('The id of the plugin'),
        logo: z.string().describe("The URL of the plugin's picture"),
        order: z.number().describe('Where it stands among the others'),
      })
      .meta({ id: 'ContextMenuEntry' }),
  ),
  access: onTable('table|read'),
  needs: ['settings'],
  run: async ({ tx, table, settings }) => {
    const installs = await tx.pluginInstalls.listAt(table.id)
    const plugins = await findPlugins(
      tx,
      installs.map(({ pluginId }) => pluginId),
    )
    return installs.map((install) => {
      const { id: pluginInstallId, name, pluginId, order } = install
      const { logo } = pageFor(plugins.get(pluginId), install, settings)
      return { pluginInstallId, name, pluginId, logo, order }
    })
  },
})

/** Answers one entry, with where its page is and how that is shown. */
export const getContextMenuEntry = defineRead({
  summary: 'Get a plugin in the context menu of a table',
  input: ofOne,
  output: entry.extend({
    positionId: z.string().describe('The id of the table'),
    url: z.string().optional().describe("The URL of the plugin's page"),
    config: z.record(z.string(), z.unknown()).optional().describe('How the page is shown'),
  }),
  access: onMenuEntry('table|read'),
  needs: ['settings'],
  run: async ({ tx, table, install, settings }) => {
    const { id: pluginInstallId, name, pluginId, positionId, version } = install
    const { logo: _, ...page } = pageFor(await findPlugin(tx, pluginId), install, settings)
    return { name, tableId: table.id, pluginId, pluginInstallId, positionId, ...page, version }
  },
})

/** Answers what the plugin keeps with an entry. */
export const getContextMenuStorage = defineRead({
  summary: 'Get what a plugin in the context menu of a table stores',
  input: ofOne,
  output: entry.extend({
    storage: z.record(z.string(), z.unknown()).describe('What the plugin keeps'),
  }),
  access: onMenuEntry('table|read'),
  run: async ({ table, install }) => {
    const { id: pluginInstallId, name, pluginId, version } = install
    return {
      name,
      tableId: table.id,
      pluginId,
      pluginInstallId,
      storage: {},
      ...storageOf(install),
      version,
    }
  },
})
