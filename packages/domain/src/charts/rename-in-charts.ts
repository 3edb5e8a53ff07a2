import { saveInstall } from '../boards/board-installs.ts'
import { invalidAt } from '../errors.ts'
import { type Filter, filterSchema } from '../fields/filter.ts'
import { limits } from '../limits.ts'
import type { PluginInstall } from '../plugin-installs/plugin-install.ts'
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
  const done = new Set<string>()
  // Whoever copied an install held it until the copy was there, so that what was copied before its turn is found next time.
  for (let before = -1; done.size > before; ) {
    before = done.size
    await renameInAll(context, baseId, rename, done)
  }
}

/** Renames in all installs that there are by now, but for those in which that is done. */
async function renameInAll(
  context: TableContext,
  baseId: string,
  rename: (filter: Filter) => Filter,
  done: Set<string>,
): Promise<void> {
  const { tx } = context
  for (let after = ''; ; ) {
    const page = await tx.pluginInstalls.keepingIn(baseId, { after, most: installsAtOnce })
    const left = page.filter((install) => !done.has(install.id) && renamedIn(install, rename))
    for (const { id } of left) {
      done.add(id)
      // Held from here on: what it keeps may be another thing by now.
      const install = await tx.pluginInstalls.find(id, 'update')
      const storage = install && renamedIn(install, rename)
      if (!storage) continue
      if (jsonBytes(storage) > limits.pluginStorageBytes) throw noRoom(install)
      await saveInstall(context, { ...install, storage })
    }
    await tx.giveWay()
    const last = page.at(-1)
    if (!last || page.length < installsAtOnce) return
    after = last.id
  }
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
