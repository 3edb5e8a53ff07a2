import { saveInstall } from '../boards/board-installs.ts'
import { invalidAt } from '../errors.ts'
import { type Filter, filterSchema } from '../fields/filter.ts'
import { limits } from '../limits.ts'
import type { PluginInstall } from '../plugin-installs/plugin-install.ts'
import { untilNoneIsLeft } from '../structures/until-none-is-left.ts'
import type { TableContext } from '../tables/table-context.ts'
import { jsonBytes } from '../values/json/json-bytes.ts'

/** Installs that are read at a time: each may keep as much as a plugin may. */
const installsAtOnce = 50

/**
 * Renames in the filters of the charts that plugins keep in a base, those in the trash among them: nobody but the plugin could mend
 * them. Throws validation_error where a plugin has no room for longer ones.
 */
export async function renameInCharts(
  context: TableContext,
  baseId: string,
  rename: (filter: Filter) => Filter,
): Promise<void> {
  const { tx } = context
  const search = {
    most: installsAtOnce,
    find: (after: string, most: number) => tx.pluginInstalls.keepingIn(baseId, { after, most }),
    isMeant: (install: PluginInstall) => renamedIn(install, rename) !== undefined,
    giveWay: () => tx.giveWay(),
  }
  await untilNoneIsLeft(search, async (id) => {
    // Held from here on: what it keeps may be another thing by now.
    const install = await tx.pluginInstalls.find(id, 'update')
    const storage = install && renamedIn(install, rename)
    if (!storage) return
    if (jsonBytes(storage) > limits.pluginStorageBytes) throw noRoom(install)
    await saveInstall(context, { ...install, storage })
  })
}

/** What the plugin keeps, with other names in the filter of its chart; undefined where that stays as it is. */
function renamedIn(
  { position, storage }: PluginInstall,
  rename: (filter: Filter) => Filter,
): PluginInstall['storage'] {
  const query = storage?.query
  if (!chartPositions.has(position) || typeof query !== 'object' || query === null) return undefined
  const { where } = query as { readonly where?: unknown }
  const parsed = filterSchema.safeParse(where)
  if (!parsed.success) return undefined
  const renamed = rename(parsed.data)
  if (JSON.stringify(renamed) === JSON.stringify(parsed.data)) return undefined
  return { ...storage, query: { ...query, where: renamed } }
}

/** Where plugins show charts. */
const chartPositions: ReadonlySet<PluginInstall['position']> = new Set(['panel', 'dashboard'])

function noRoom({ name }: PluginInstall) {
  return invalidAt(['options'], `The chart of "${name}" has no room for the names of the choices`)
}
