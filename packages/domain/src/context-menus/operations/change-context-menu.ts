import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { emitInstall, saveInstall } from '../../boards/board-installs.ts'
import { storageInput, storageOf, storageOutput } from '../../boards/install-output.ts'
import { invalidAt, notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { onStorage } from '../../plugin-installs/storage-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { ordersAt } from '../../values/ordering.ts'
import { onMenuEntry } from '../menu-guard.ts'

const ofOne = z.object({ tableId: idSchema, pluginInstallId: idSchema })

/** Renames an entry of the menu. */
export const renameContextMenuEntry = defineWrite({
  summary: 'Rename a plugin in the context menu of a table',
  input: ofOne.extend({ name: nameSchema }),
  output: z.object({ pluginInstallId: z.string(), name: z.string() }),
  access: onMenuEntry('table|update', 'share'),
  run: async (context, { name }) => {
    const { install } = context
    const saved = name === install.name ? install : await saveInstall(context, { ...install, name })
    return { pluginInstallId: saved.id, name: saved.name, version: saved.version }
  },
})

/** Moves an entry before or after another one. */
export const moveContextMenuEntry = defineWrite({
  summary: 'Move a plugin in the context menu of a table',
  input: ofOne.extend({ anchorId: idSchema, position: z.enum(['before', 'after']) }),
  output: noOutput,
  access: onMenuEntry('table|update', 'update'),
  run: async (context, { anchorId, position }) => {
    const { tx, table, install } = context
    if (anchorId === install.id) throw invalidAt(['anchorId'], 'must be another plugin')
    const entries = await tx.pluginInstalls.listWholeAt(table.id)
    const siblings = entries.filter(({ id }) => id !== install.id)
    const anchor = siblings.findIndex(({ id }) => id === anchorId)
    if (anchor === -1) throw notFound('plugin install', anchorId)
    const index = position === 'before' ? anchor : anchor + 1
    if (entries[index]?.id === install.id) return
    const orders = ordersAt(siblings, index, [install.id])
    for (const entry of entries) {
      const order = orders.get(entry.id)
      if (order === undefined || order === entry.order) continue
      // Where the numbers between two are used up all get new ones: the others stay where they are.
      await saveInstall(context, { ...entry, order })
    }
  },
})

/** Replaces what the plugin keeps with an entry. */
export const setContextMenuStorage = defineWrite({
  summary: 'Replace what a plugin in the context menu of a table stores',
  input: ofOne.extend({ storage: storageInput }),
  output: z.object({
    tableId: z.string(),
    pluginInstallId: z.string(),
    storage: storageOutput,
  }),
  access: onStorage(onMenuEntry('table|update', 'share')),
  run: async (context, { tableId, storage }) => {
    const saved = await saveInstall(context, { ...context.install, storage })
    const { id: pluginInstallId, version } = saved
    return { tableId, pluginInstallId, ...storageOf(saved), version }
  },
})

/** Takes a plugin out of the menu, with what it keeps there, for good. */
export const removeFromContextMenu = defineWrite({
  summary: 'Remove a plugin from the context menu of a table',
  input: ofOne,
  output: noOutput,
  access: onMenuEntry('table|update', 'update'),
  run: async (context) => {
    const { tx, install } = context
    await tx.pluginInstalls.delete(install.id)
    emitInstall(context, 'plugin_install.deleted', install)
  },
})
