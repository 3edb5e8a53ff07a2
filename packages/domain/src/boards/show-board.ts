import { pageFor } from '../plugin-installs/page-for.ts'
import { findPlugins } from '../plugins/find-plugin.ts'
import type { Settings } from '../settings.ts'
import type { ReadTx } from '../store.ts'
import type { Board } from './board.ts'

/** A board with what is installed on it. An install whose plugin is gone, or may not be used by who put it there, has no page. */
export async function showBoard(
  { tx, settings }: { readonly tx: ReadTx; readonly settings: Settings },
  { id, name, layout, version }: Board,
) {
  const installs = await tx.pluginInstalls.listAt(id)
  const plugins = await findPlugins(
    tx,
    installs.map(({ pluginId }) => pluginId),
  )
  const pluginMap = Object.fromEntries(
    installs.map((install) => {
      const { url } = pageFor(plugins.get(install.pluginId), install, settings)
      const shown = { id: install.pluginId, pluginInstallId: install.id, name: install.name }
      return [install.id, { ...shown, ...(url !== undefined && { url }) }]
    }),
  )
  return {
    ...{ id, name },
    ...(layout && { layout: [...layout] }),
    ...(installs.length > 0 && { pluginMap }),
    version,
  }
}
