import type { Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import { type BaseScope, onBase } from '../bases/base-guard.ts'
import { atInstall, type InstallScope } from '../boards/install-guard.ts'
import { notFound } from '../errors.ts'
import type { Dashboard } from './dashboard.ts'

/** What a guard has found of the dashboard that a call names. */
export interface DashboardScope extends BaseScope {
  readonly dashboard: Dashboard
}

/** What a call holds until it ends. */
interface Locks {
  readonly base: Lock
  readonly dashboard: Lock
}

const nothing: Locks = { base: 'none', dashboard: 'none' }

/** What a change holds of which the tree shows nothing: all others of the dashboard wait. */
export const dashboardAlone: Locks = { base: 'share', dashboard: 'update' }

/** What a change holds that the tree shows too. */
export const dashboardWithTree: Locks = { base: 'update', dashboard: 'update' }

/** Lets those pass who may take the action in the base, for a dashboard of that base. */
export function onDashboard(
  action: Action,
  locks: Locks = nothing,
): Guard<{ baseId: string; dashboardId: string }, DashboardScope> {
  const base = onBase(action, locks.base)
  return {
    requirement: base.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await base.enter(tx, actor, input)
      const dashboard = await tx.dashboards.find(input.dashboardId, locks.dashboard)
      if (dashboard?.baseId !== input.baseId) throw notFound('dashboard', input.dashboardId)
      return { scope: { ...scope, dashboard }, version: dashboard.version }
    },
  }
}

/** Lets those pass who may do this to a dashboard, for a plugin that is installed on it. */
export function onDashboardInstall(
  action: Action,
  locks: Locks = nothing,
): Guard<
  { baseId: string; dashboardId: string; pluginInstallId: string },
  DashboardScope & InstallScope
> {
  return atInstall(onDashboard(action, locks), ({ dashboardId }) => dashboardId, locks.dashboard)
}
