import type { Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import { type BaseScope, onBase } from '../bases/base-guard.ts'
import { notFound } from '../errors.ts'
import type { Dashboard } from './dashboard.ts'

/** What a guard has found of the dashboard that a call names. */
export interface DashboardScope extends BaseScope {
  readonly dashboard: Dashboard
}

/** Lets those pass who may take the action in the base, for a dashboard of that base. */
export function onDashboard(
  action: Action,
  lock: Lock = 'none',
): Guard<{ baseId: string; dashboardId: string }, DashboardScope> {
  const base = onBase(action, lock)
  return {
    requirement: base.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await base.enter(tx, actor, input)
      const dashboard = await tx.dashboards.find(input.dashboardId)
      if (dashboard?.baseId !== input.baseId) throw notFound('dashboard', input.dashboardId)
      return { scope: { ...scope, dashboard }, version: dashboard.version }
    },
  }
}
