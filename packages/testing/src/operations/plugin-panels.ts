import fc from 'fast-check'
import { name, ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import {
  layout,
  learnBoard,
  storage,
  toInstall,
  toLayout,
  toPluginId,
  toStorage,
} from './boards.ts'
import type { SamplesIn } from './operation-sample.ts'

/** A panel and the table it is beside. */
function toPanel({ panels, tables }: ScriptState, panel: Ref) {
  const found = panels.find(panel)
  return { tableId: found?.tableId ?? tables.idOf(0), pluginPanelId: found?.id ?? 'unknown' }
}

/** An install, on its panel if it is on one. */
export function toPanelInstall({ install }: { readonly install: Ref }, known: ScriptState) {
  const { positionId: pluginPanelId, pluginInstallId } = toInstall(known, install)
  const panel = known.panels.all.find(({ id }) => id === pluginPanelId)
  return { tableId: panel?.tableId ?? known.tables.idOf(0), pluginPanelId, pluginInstallId }
}

interface Answer {
  readonly id: string
}

const one = fc.record({ panel: ref })
const oneInstall = fc.record({ install: ref })

export const pluginPanelOperations: ScriptedFeature<'pluginPanels'> = {
  createPanel: scripted({
    weight: 1.5,
    args: fc.record({ table: ref, name }),
    toInput: ({ table, name }, { tables }) => ({ tableId: tables.idOf(table), name }),
    learn: ({ panels }, { id }: Answer, { tableId }) =>
      panels.add({ id, tableId: String(tableId) }),
  }),
  listPanels: scripted({
    weight: 1,
    args: fc.record({ table: ref }),
    toInput: ({ table }, { tables }) => ({ tableId: tables.idOf(table) }),
    learn: ({ panels }, listed: readonly Answer[], { tableId }) => {
      for (const { id } of listed) panels.add({ id, tableId: String(tableId) })
    },
  }),
  getPanel: scripted({
    weight: 1,
    args: one,
    toInput: ({ panel }, known) => toPanel(known, panel),
    learn: learnBoard,
  }),
  renamePanel: scripted({
    weight: 1,
    args: fc.record({ panel: ref, name }),
    toInput: ({ panel, name }, known) => ({ ...toPanel(known, panel), name }),
  }),
  setPanelLayout: scripted({
    weight: 1,
    args: fc.record({ panel: ref, layout }),
    toInput: ({ panel, layout }, known) => ({
      ...toPanel(known, panel),
      layout: toLayout(layout, known),
    }),
  }),
  duplicatePanel: scripted({
    weight: 0.7,
    args: fc.record({ panel: ref, name }, { requiredKeys: ['panel'] }),
    toInput: ({ panel, ...rest }, known) => ({ ...toPanel(known, panel), ...rest }),
    learn: ({ panels }, { id }: Answer, { tableId }) =>
      panels.add({ id, tableId: String(tableId) }),
  }),
  deletePanel: scripted({
    weight: 0.4,
    args: one,
    toInput: ({ panel }, known) => toPanel(known, panel),
    learn: ({ panels }, _answer, { pluginPanelId }) => panels.drop(String(pluginPanelId)),
  }),
  installOnPanel: scripted({
    weight: 1.5,
    args: fc.record({ panel: ref, plugin: ref, name }, { requiredKeys: ['panel', 'plugin'] }),
    toInput: ({ panel, plugin, ...rest }, known) => ({
      ...toPanel(known, panel),
      pluginId: toPluginId(plugin, known),
      ...rest,
    }),
    learn: ({ installs }, answer: { readonly pluginInstallId: string }, { pluginPanelId }) =>
      installs.add({ id: answer.pluginInstallId, positionId: String(pluginPanelId) }),
  }),
  getPanelInstall: scripted({ weight: 1, args: oneInstall, toInput: toPanelInstall }),
  renamePanelInstall: scripted({
    weight: 0.7,
    args: fc.record({ install: ref, name }),
    toInput: ({ name, ...args }, known) => ({ ...toPanelInstall(args, known), name }),
  }),
  setPanelStorage: scripted({
    weight: 0.7,
    args: fc.record({ install: ref, storage }, { requiredKeys: ['install'] }),
    toInput: ({ install, ...rest }, known) => ({
      ...toPanelInstall({ install }, known),
      ...toStorage(rest, known),
    }),
  }),
  duplicatePanelInstall: scripted({
    weight: 0.5,
    args: fc.record({ install: ref, name }, { requiredKeys: ['install'] }),
    toInput: ({ install, ...rest }, known) => ({ ...toPanelInstall({ install }, known), ...rest }),
    learn: ({ installs }, { id }: Answer, { pluginPanelId }) =>
      installs.add({ id, positionId: String(pluginPanelId) }),
  }),
  uninstallFromPanel: scripted({
    weight: 0.5,
    args: oneInstall,
    toInput: toPanelInstall,
    learn: ({ installs }, _answer, { pluginInstallId }) => installs.drop(String(pluginInstallId)),
  }),
}

export const pluginPanelSamples: SamplesIn<'pluginPanels'> = ({
  tableId,
  pluginPanelId,
  panelInstallId,
}) => {
  const one = { tableId, pluginPanelId }
  const install = { ...one, pluginInstallId: panelInstallId }
  const place = { x: 0, y: 0, w: 1, h: 1 }
  return {
    createPanel: { input: { tableId, name: 'New' } },
    listPanels: { input: { tableId } },
    getPanel: { input: one },
    renamePanel: { input: { ...one, name: 'Renamed' } },
    setPanelLayout: {
      input: { ...one, layout: [{ pluginInstallId: panelInstallId, ...place }] },
    },
    duplicatePanel: { input: one },
    deletePanel: { input: one },
    installOnPanel: { input: { ...one, pluginId: 'plgchart' } },
    getPanelInstall: { input: install },
    renamePanelInstall: { input: { ...install, name: 'Renamed' } },
    setPanelStorage: { input: { ...install, storage: { kept: true } } },
    duplicatePanelInstall: { input: install },
    uninstallFromPanel: { input: install },
  }
}
