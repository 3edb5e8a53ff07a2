import fc from 'fast-check'
import { name, ref } from '../differential/arguments.ts'
import type { KnownNode, KnownThings } from '../differential/known-things.ts'
import type { Ref } from '../differential/script.ts'
import { type ScriptedFeature, scripted } from '../differential/scripted-operation.ts'
import type { SamplesIn } from '../operation-sample.ts'

/** A dashboard and the base it lies in; what is no dashboard may be meant by an id that is gone. */
function toDashboard({ nodes, bases }: KnownThings, dashboard: Ref) {
  const dashboards = nodes.there.filter(({ resourceType }) => resourceType === 'dashboard')
  const found: KnownNode | undefined =
    dashboard < 0 ? nodes.find(dashboard) : dashboards[dashboard % dashboards.length]
  return {
    baseId: found?.baseId ?? bases.idOf(0),
    dashboardId: found?.resourceId ?? 'unknown',
  }
}

const one = fc.record({ dashboard: ref })

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
}

export const dashboardSamples: SamplesIn<'dashboards'> = ({ baseId, dashboardId }) => {
  const one = { baseId, dashboardId }
  return {
    createDashboard: { input: { baseId, name: 'New' } },
    listDashboards: { input: { baseId } },
    getDashboard: { input: one },
    renameDashboard: { input: { ...one, name: 'Renamed' } },
    duplicateDashboard: { input: one },
    deleteDashboard: { input: one },
  }
}
