import type { Guard } from '../access/guard.ts'
import { notFound } from '../errors.ts'
import type { PluginInstall } from '../plugin-installs/plugin-install.ts'
import type { ReadTx } from '../store.ts'
import { onChangedView, onView, type ViewScope } from '../views/view-guard.ts'

/** What a guard has found of the plugin view that a call names. */
export interface ViewInstallScope extends ViewScope {
  readonly install: PluginInstall
}

/** Lets those pass who may read views of the table; the view is one of a plugin. */
export function onViewInstall(): Guard<{ tableId: string; viewId: string }, ViewInstallScope> {
  const guard = onView('view|read')
  return {
    requirement: guard.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await guard.enter(tx, actor, input)
      const install = await findInstallOf(tx, scope)
      if (!install) throw notFound('plugin of the view', input.viewId)
      return { scope: { ...scope, install }, version: install.version }
    },
  }
}

/** Lets those pass who may change what the plugin of a view keeps; the install is named, too, and held with its view. */
export function onChangedViewInstall(): Guard<
  { tableId: string; viewId: string; pluginInstallId: string },
  ViewInstallScope
> {
  const guard = onChangedView('view|update')
  return {
    requirement: guard.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await guard.enter(tx, actor, input)
      const install = await findInstallOf(tx, scope)
      if (install?.id !== input.pluginInstallId) {
        throw notFound('plugin install', input.pluginInstallId)
      }
      return { scope: { ...scope, install }, version: install.version }
    },
  }
}

async function findInstallOf(
  tx: ReadTx,
  { view: { id, options } }: Pick<ViewScope, 'view'>,
): Promise<PluginInstall | undefined> {
  const { pluginInstallId } = options
  if (typeof pluginInstallId !== 'string') return undefined
  const install = await tx.pluginInstalls.find(pluginInstallId)
  return install?.positionId === id ? install : undefined
}
