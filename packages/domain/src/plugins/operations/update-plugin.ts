import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { pluginOutput, toPluginOutput, toStatus } from '../plugin.ts'
import { onOwnPlugin } from '../plugin-guard.ts'
import { pluginSettingsSchema, toKeptSettings } from '../plugin-input.ts'

/**
 * Replaces all that its maker says of a plugin. What is left out is unset, but for its logo, which it must have. A published
 * one whose page moves elsewhere is reviewed again: people trust what was looked at.
 */
export const updatePlugin = defineWrite({
  summary: 'Replace the settings of a plugin',
  input: pluginSettingsSchema.extend({ pluginId: idSchema }).partial({ logo: true }),
  output: pluginOutput,
  access: onOwnPlugin('update'),
  run: async ({ tx, plugin, now }, { pluginId: _, logo = plugin.logo, ...settings }) => {
    const kept = toKeptSettings({ ...settings, logo }, now)
    const isElsewhere = kept.url !== plugin.url
    const status = plugin.status === 'published' && isElsewhere ? 'reviewing' : plugin.status
    const updated = { ...toStatus(plugin, status), ...kept }
    await tx.plugins.update(updated)
    return toPluginOutput(updated)
  },
})
