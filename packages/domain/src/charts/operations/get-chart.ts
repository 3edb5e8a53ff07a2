import { z } from 'zod'
import type { Guard } from '../../access/guard.ts'
import { onDashboardInstall } from '../../dashboards/dashboard-guard.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { parseAt } from '../../input/parse-input.ts'
import type { PluginInstall } from '../../plugin-installs/plugin-install.ts'
import { onPanelInstall } from '../../plugin-panels/panel-guard.ts'
import { defineRead } from '../../use-case.ts'
import { showingChart } from '../chart-guard.ts'
import { chartOutput } from '../chart-output.ts'
import { runChart } from '../run-chart.ts'
import { type SavedQuery, savedQuerySchema } from '../saved-query.ts'
import { chartFormat } from './query-base.ts'

interface PanelChart {
  readonly tableId: string
  readonly positionId: string
  readonly pluginInstallId: string
}

interface DashboardChart {
  readonly baseId: string
  readonly positionId: string
  readonly pluginInstallId: string
}

const pluginInstallId = idSchema.describe('The plugin where it is installed')

/** Answers the query that a plugin keeps on a panel of a table. */
export const getPanelChart = defineRead({
  summary: 'Get the chart of a plugin on a panel',
  input: z.object({
    pluginInstallId,
    positionId: idSchema.describe('The panel'),
    tableId: idSchema.describe('The table of the panel'),
    cellFormat: chartFormat,
  }),
  output: chartOutput,
  access: showingChart(
    naming(
      onPanelInstall('table|read'),
      ({ tableId, positionId, pluginInstallId }: PanelChart) => ({
        tableId,
        pluginPanelId: positionId,
        pluginInstallId,
      }),
    ),
  ),
  run: (context, { cellFormat }) => {
    const { install, base } = context
    const query = savedIn(install)
    return runChart({ ...context, baseId: base.id }, query, { cellFormat, path: savedPath })
  },
})

/** Answers the query that a plugin keeps on a dashboard. */
export const getDashboardChart = defineRead({
  summary: 'Get the chart of a plugin on a dashboard',
  input: z.object({
    pluginInstallId,
    positionId: idSchema.describe('The dashboard'),
    baseId: idSchema.describe('The base of the dashboard'),
    cellFormat: chartFormat,
  }),
  output: chartOutput,
  access: showingChart(
    naming(
      onDashboardInstall('base|read'),
      ({ baseId, positionId, pluginInstallId }: DashboardChart) => ({
        baseId,
        dashboardId: positionId,
        pluginInstallId,
      }),
    ),
  ),
  run: (context, { baseId, cellFormat }) => {
    const query = savedIn(context.install)
    return runChart({ ...context, baseId }, query, { cellFormat, path: savedPath })
  },
})

/** Makes a guard take an input that names the position in another way. */
function naming<Named, Scope, Input>(
  guard: Guard<Named, Scope>,
  toNamed: (input: Input) => Named,
): Guard<Input, Scope> {
  return {
    requirement: guard.requirement,
    enter: (tx, actor, input) => guard.enter(tx, actor, toNamed(input)),
  }
}

/** Where the query stands in what an install has. */
const savedPath = ['storage', 'query']

/** The query that the plugin keeps. `not_found` where there is none, validation_error where it is no such query. */
function savedIn({ id, storage }: PluginInstall): SavedQuery {
  const query = storage?.query ?? null
  if (query === null) {
    throw notFound('query of the plugin install', id, undefined, 'save one in its storage')
  }
  return parseAt(savedQuerySchema, query, savedPath)
}
