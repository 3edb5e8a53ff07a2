import { z } from 'zod'
import { emitInstall } from '../../boards/board-installs.ts'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { addInstalls } from '../../plugin-installs/add-installs.ts'
import type { PluginInstall } from '../../plugin-installs/plugin-install.ts'
import { requireInstallable } from '../../plugins/find-plugin.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'

/** Puts a plugin into the menu of a table's records, behind all others. */
export const installInContextMenu = defineWrite({
  summary: 'Install a plugin in the context menu of a table',
  input: z.object({
    tableId: idSchema,
    pluginId: idSchema,
    name: nameSchema.optional().describe("The plugin's own name if left out"),
  }),
  output: z.object({ pluginInstallId: z.string(), name: z.string(), order: z.number() }),
  access: onTable('table|update', 'update'),
  run: async (context, { pluginId, name }) => {
    const { tx, userId, base, table, ids, now } = context
    const plugin = await requireInstallable(tx, { pluginId, userId, position: 'contextMenu' })
    const others = await tx.pluginInstalls.listAt(table.id)
    if (others.length >= limits.installsPerBoard) {
      throw invalidAt(
        [],
        `the menu has room for ${limits.installsPerBoard} plugins: remove one first`,
      )
    }
    const install: PluginInstall = {
      ...{ id: ids.next('pluginInstall'), pluginId, name: name ?? plugin.name },
      ...{ baseId: base.id, tableId: table.id, position: 'contextMenu', positionId: table.id },
      ...{ order: (others.at(-1)?.order ?? 0) + 1, storage: undefined },
      ...{ createdBy: userId, createdTime: now, version: 1 },
    }
    await addInstalls(tx, [install])
    emitInstall(context, 'plugin_install.created', install)
    const { id: pluginInstallId, order, version } = install
    return { pluginInstallId, name: install.name, order, version }
  },
})
