import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { emitInstall } from '../../boards/board-installs.ts'
import { installOutputShape, toInstallOutput } from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { addInstalls } from '../../plugin-installs/add-installs.ts'
import type { PluginInstall } from '../../plugin-installs/plugin-install.ts'
import { requireInstallable } from '../../plugins/find-plugin.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { firstColumns } from '../../views/column-meta.ts'
import { addView, placeForView } from '../../views/operations/add-view.ts'

/** Adds a view to a table that a plugin shows, behind all others; a name that another view has is numbered. */
export const installAsView = defineWrite({
  summary: 'Install a plugin as a view',
  input: z.object({
    tableId: idSchema,
    name: nameSchema.optional().describe('The name of the plugin if left out'),
    pluginId: idSchema.describe('A published plugin that is made for views, or one of yours'),
  }),
  output: z.object({ viewId: z.string().describe('The id of the view'), ...installOutputShape }),
  access: showing(onTable('view|create', 'update'), 'view|read'),
  run: async (context, { tableId, name: wanted, pluginId }) => {
    const { tx, base, userId, now, ids } = context
    const plugin = await requireInstallable(tx, { pluginId, userId, position: 'view' })
    const { schema, name, order } = await placeForView(context, wanted ?? plugin.name)
    const viewId = ids.next('view')
    const made = { createdBy: userId, createdTime: now, version: 1 }
    const install: PluginInstall = {
      id: ids.next('pluginInstall'),
      pluginId,
      baseId: base.id,
      tableId,
      position: 'view',
      positionId: viewId,
      name,
      order: 1,
      storage: undefined,
      ...made,
    }
    await addInstalls(tx, [install])
    const view = {
      id: viewId,
      tableId,
      name,
      type: 'plugin' as const,
      description: null,
      order,
      options: { pluginId, pluginInstallId: install.id, pluginLogo: plugin.logo },
      columnMeta: firstColumns('plugin', schema),
      ...{ filter: null, sort: null, group: null, rowOrder: null, isLocked: false },
      ...{ ...made, lastModifiedBy: null, lastModifiedTime: null },
    }
    await addView(context, view, schema)
    emitInstall(context, 'plugin_install.created', install)
    return { viewId, ...toInstallOutput(install) }
  },
})
