import fc from 'fast-check'
import { name, ref } from '../scripts/arguments.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import { storage } from './boards.ts'
import type { SamplesIn } from './operation-sample.ts'

interface Answer {
  readonly viewId: string
  readonly pluginInstallId: string
}

export const pluginViewOperations: ScriptedFeature<'pluginViews'> = {
  installAsView: scripted({
    weight: 1.5,
    args: fc.record({ table: ref, plugin: ref, name }, { requiredKeys: ['table', 'plugin'] }),
    toInput: ({ table, plugin, ...rest }, { tables, plugins }) => ({
      tableId: tables.idOf(table),
      pluginId: plugins.idOf(plugin),
      ...rest,
    }),
    learn: ({ installs }, { viewId, pluginInstallId }: Answer) =>
      installs.add({ id: pluginInstallId, positionId: viewId }),
  }),
  getViewInstall: scripted({
    weight: 1,
    args: fc.record({ table: ref, install: ref }),
    toInput: ({ table, install }, { tables, installs }) => ({
      tableId: tables.idOf(table),
      viewId: installs.find(install)?.positionId ?? 'unknown',
    }),
  }),
  setViewStorage: scripted({
    weight: 0.7,
    args: fc.record({ table: ref, install: ref, storage }, { requiredKeys: ['table', 'install'] }),
    toInput: ({ table, install, ...rest }, { tables, installs }) => ({
      tableId: tables.idOf(table),
      viewId: installs.find(install)?.positionId ?? 'unknown',
      pluginInstallId: installs.idOf(install),
      ...rest,
    }),
  }),
}

export const pluginViewSamples: SamplesIn<'pluginViews'> = (
  { tableId, pluginViewId, viewInstallId },
  { viewPluginId },
) => {
  const one = { tableId, viewId: pluginViewId }
  return {
    installAsView: { input: { tableId, pluginId: viewPluginId } },
    getViewInstall: { input: one },
    setViewStorage: { input: { ...one, pluginInstallId: viewInstallId, storage: { kept: true } } },
  }
}
