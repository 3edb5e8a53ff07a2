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

/** A dashboard and the base it lies in; what is no dashboard may be meant by an id that is gone. */
function toDashboard(known: ScriptState, dashboard: Ref) {
  const found = known.nodeOfType('dashboard', dashboard)
  return {
    baseId: found?.baseId ?? known.bases.idOf(0),
    dashboardId: found?.resourceId ?? 'unknown',
  }
}

/** An install, on its dashboard if it is on one. */
export function toDashboardInstall({ install }: { readonly install: Ref }, known: ScriptState) {
  const { positionId: dashboardId, pluginInstallId } = toInstall(known, install)
  return { baseId: known.baseIdOf(dashboardId), dashboardId, pluginInstallId }
}

interface InstallAnswer {
  readonly pluginInstallId: string
}

const one = fc.record({ dashboard: ref })
const oneInstall = fc.record({ install: ref })

export const dashboardOperations: ScriptedFeature<'dashboards'> = {
  createDashboard: scripted({
    weight: 1,
    args: fc.record({ base: ref, name }),
    toInput: ({ base, name }, { bases }) => ({ baseId: bases.idOf(base), name }),
  }),
  listDashboards: scripted({
    weight: 1,
    args: fc.record({ base: ref }),
    toInput: ({ base }, { bases }) => ({ baseId: bases.idOf(base) }),
  }),
  getDashboard: scripted({
    weight: 1,
    args: one,
    toInput: ({ dashboard }, known) => toDashboard(known, dashboard),
    learn: learnBoard,
  }),
  renameDashboard: scripted({
    weight: 1,
    args: fc.record({ dashboard: ref, name }),
    toInput: ({ dashboard, name }, known) => ({ ...toDashboard(known, dashboard), name }),
  }),
  duplicateDashboard: scripted({
    weight: 0.5,
    args: fc.record({ dashboard: ref, name }, { requiredKeys: ['dashboard'] }),
    toInput: ({ dashboard, ...rest }, known) => ({ ...toDashboard(known, dashboard), ...rest }),
  }),
  deleteDashboard: scripted({
    weight: 0.5,
    args: one,
    toInput: ({ dashboard }, known) => toDashboard(known, dashboard),
    learn: (known, _answer, { dashboardId }) => known.dropResource(String(dashboardId)),
  }),
  setDashboardLayout: scripted({
    weight: 1,
    args: fc.record({ dashboard: ref, layout }),
    toInput: ({ dashboard, layout }, known) => ({
      ...toDashboard(known, dashboard),
      layout: toLayout(layout, known),
    }),
  }),
  installOnDashboard: scripted({
    weight: 1.5,
    args: fc.record({ dashboard: ref, plugin: ref, name }),
    toInput: ({ dashboard, plugin, name }, known) => ({
      ...toDashboard(known, dashboard),
      pluginId: toPluginId(plugin, known),
      name,
    }),
    learn: ({ installs }, answer: InstallAnswer, { dashboardId }) =>
      installs.add({ id: answer.pluginInstallId, positionId: String(dashboardId) }),
  }),
  getDashboardInstall: scripted({ weight: 1, args: oneInstall, toInput: toDashboardInstall }),
  renameDashboardInstall: scripted({
    weight: 0.7,
    args: fc.record({ install: ref, name }),
    toInput: ({ name, ...args }, known) => ({ ...toDashboardInstall(args, known), name }),
  }),
  setDashboardStorage: scripted({
    weight: 0.7,
    args: fc.record({ install: ref, storage }, { requiredKeys: ['install'] }),
    toInput: ({ install, ...rest }, known) => ({
      ...toDashboardInstall({ install }, known),
      ...toStorage(rest, known),
    }),
  }),
  duplicateDashboardInstall: scripted({
    weight: 0.5,
    args: fc.record({ install: ref, name }, { requiredKeys: ['install'] }),
    toInput: ({ install, ...rest }, known) => ({
      ...toDashboardInstall({ install }, known),
      ...rest,
    }),
    learn: ({ installs }, { id }: { readonly id: string }, { dashboardId }) =>
      installs.add({ id, positionId: String(dashboardId) }),
  }),
  uninstallFromDashboard: scripted({
    weight: 0.5,
    args: oneInstall,
    toInput: toDashboardInstall,
    learn: ({ installs }, _answer, { pluginInstallId }) => installs.drop(String(pluginInstallId)),
  }),
}

export const dashboardSamples: SamplesIn<'dashboards'> = ({
  baseId,
  dashboardId,
  dashboardInstallId,
}) => {
  const one = { baseId, dashboardId }
  const install = { ...one, pluginInstallId: dashboardInstallId }
  const place = { x: 0, y: 0, w: 1, h: 1 }
  return {
    createDashboard: { input: { baseId, name: 'New' } },
    listDashboards: { input: { baseId } },
    getDashboard: { input: one },
    renameDashboard: { input: { ...one, name: 'Renamed' } },
    duplicateDashboard: { input: one },
    deleteDashboard: { input: one },
    setDashboardLayout: {
      input: { ...one, layout: [{ pluginInstallId: dashboardInstallId, ...place }] },
    },
    installOnDashboard: { input: { ...one, name: 'Chart', pluginId: 'plgchart' } },
    getDashboardInstall: { input: install },
    renameDashboardInstall: { input: { ...install, name: 'Renamed' } },
    setDashboardStorage: { input: { ...install, storage: { kept: true } } },
    duplicateDashboardInstall: { input: install },
    uninstallFromDashboard: { input: install },
  }
}
