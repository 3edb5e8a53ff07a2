import type { Lock } from '../access/lock.ts'
import { invalidAt, notFound } from '../errors.ts'
import type { ReadTx } from '../store.ts'
import type { Plugin, PluginPosition } from './plugin.ts'
import { shippedPlugins } from './shipped-plugins.ts'

/** The plugin of the id, be it registered or one that ships with the product. */
export async function findPlugin(
  { plugins }: Pick<ReadTx, 'plugins'>,
  id: string,
  lock: Lock = 'none',
): Promise<Plugin | undefined> {
  return shippedPlugins.get(id) ?? plugins.find(id, lock)
}

/** Those of the ids that there are, by id; shipped ones too. */
export async function findPlugins(
  { plugins }: Pick<ReadTx, 'plugins'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Plugin>> {
  const wanted = [...new Set(ids)]
  const shipped = wanted.flatMap((id) => shippedPlugins.get(id) ?? [])
  const registered = wanted.filter((id) => !shippedPlugins.has(id))
  const found = registered.length === 0 ? [] : await plugins.findAll(registered)
  return new Map([...shipped, ...found].map((plugin) => [plugin.id, plugin]))
}

/** Whether the user may install the plugin, and use it: everybody a published one, its maker each. */
export function mayUse({ status, createdBy }: Plugin, userId: string): boolean {
  return status === 'published' || createdBy === userId
}

/**
 * The plugin, for a user who is about to install it at a position of that kind. To them one that is neither published nor
 * theirs isn't there: `not_found`. One that isn't made for the position is refused with `validation_error`.
 */
export async function requireInstallable(
  tx: Pick<ReadTx, 'plugins'>,
  {
    pluginId,
    userId,
    position,
  }: { readonly pluginId: string; readonly userId: string; readonly position: PluginPosition },
): Promise<Plugin> {
  const plugin = await findPlugin(tx, pluginId)
  if (!plugin || !mayUse(plugin, userId)) throw notFound('plugin', pluginId)
  if (!plugin.positions.includes(position)) {
    const places = plugin.positions.join(', ')
    throw invalidAt(
      ['pluginId'],
      `must be a plugin that is made for the position "${position}": this one is for ${places}`,
    )
  }
  return plugin
}
