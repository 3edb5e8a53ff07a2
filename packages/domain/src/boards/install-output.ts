import { z } from 'zod'
import { limits } from '../limits.ts'
import type { PluginInstall } from '../plugin-installs/plugin-install.ts'
import { jsonObjectUpTo } from '../values/json/json-object.ts'

/** What a plugin keeps, as it is sent. */
export const storageInput = jsonObjectUpTo(limits.pluginStorageBytes)
  .optional()
  .describe('What the plugin keeps from now on, in the place of what it kept; nothing if left out')

/** What a plugin keeps, as it is answered. */
export const storageOutput = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('What the plugin keeps; absent where it keeps nothing')

/** An install as calls answer it that are about it. */
export const installOutputShape = {
  pluginId: z.string().describe('The id of the plugin'),
  pluginInstallId: z.string().describe('The id of the install'),
  name: z.string().describe('What it is called there'),
}

/** What all answers about an install have in common. */
export function toInstallOutput({ pluginId, id: pluginInstallId, name, version }: PluginInstall) {
  return { pluginId, pluginInstallId, name, version }
}

/** What the plugin keeps, as a member of an answer; none where it keeps nothing. */
export function storageOf({ storage }: PluginInstall) {
  return storage === undefined ? {} : { storage: { ...storage } }
}
