import { joinTypes } from '@gateleg/domain/charts/saved-query'
import { statisticNames } from '@gateleg/domain/queries/statistics'
import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { KnownTable, ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import { type FilterArgs, filterArgs, toFilter } from '../scripts/view-arguments.ts'
import { toDashboardInstall } from './dashboards.ts'
import type { SamplesIn } from './operation-sample.ts'
import { toPanelInstall } from './plugin-panels.ts'

/** What a script says of the query of a chart, tables and fields named by Ref. */
interface ChartArgs {
  readonly table: Ref
  readonly join: {
    readonly table: Ref
    readonly type: string
    readonly on: readonly [Ref, Ref]
  } | null
  readonly filter: FilterArgs | null
  readonly groupBy: readonly Ref[]
  readonly statistic: { readonly field: Ref; readonly name: string } | null
  readonly isDescending: boolean
  readonly limit: number | null
}

const chartArgs: fc.Arbitrary<ChartArgs> = fc.record({
  table: ref,
  join: fc.option(
    fc.record({
      table: ref,
      type: fc.constantFrom(...joinTypes, 'CROSS JOIN'),
      on: fc.tuple(ref, ref),
    }),
    { freq: 1 },
  ),
  filter: filterArgs,
  groupBy: fc.array(ref, { maxLength: 2 }),
  statistic: fc.option(fc.record({ field: ref, name: fc.constantFrom(...statisticNames) })),
  isDescending: fc.boolean(),
  limit: fc.option(fc.constantFrom(1, 3, 0)),
})

/** The query that they mean. */
function toChart(args: ChartArgs, { tables }: ScriptState): object {
  const table = tables.find(args.table)
  const idOf = (field: Ref, of: KnownTable | undefined = table) =>
    of?.fields.idOf(field) ?? 'unknown'
  const { join, filter, groupBy, statistic, isDescending, limit } = args
  const joined = join ? tables.find(join.table) : undefined
  const [first] = groupBy
  return {
    from: tables.idOf(args.table),
    ...(join && {
      join: [
        {
          type: join.type,
          table: tables.idOf(join.table),
          on: [idOf(join.on[0]), idOf(join.on[1], joined)],
        },
      ],
    }),
    ...(filter && { where: toFilter(filter, table) }),
    groupBy: groupBy.map((field) => ({ column: idOf(field), type: 'field' })),
    ...(statistic && {
      aggregation: [
        { column: idOf(statistic.field), type: 'field', statisticFunc: statistic.name },
      ],
    }),
    ...(first !== undefined && {
      orderBy: [{ column: idOf(first), type: 'field', order: isDescending ? 'desc' : 'asc' }],
    }),
    ...(limit !== null && { limit }),
  }
}

export const chartOperations: ScriptedFeature<'charts'> = {
  queryBase: scripted({
    weight: 2,
    args: fc.record({ base: ref, chart: chartArgs, cellFormat: fc.constantFrom('json', 'text') }),
    toInput: ({ base, chart, cellFormat }, known) => ({
      // The base of the table, as a rule.
      baseId: known.tables.find(chart.table)?.baseId ?? known.bases.idOf(base),
      query: toChart(chart, known),
      cellFormat,
    }),
  }),
  getPanelChart: scripted({
    weight: 1,
    args: fc.record({ install: ref }),
    toInput: (args, known) => {
      const { pluginPanelId: positionId, ...rest } = toPanelInstall(args, known)
      return { ...rest, positionId }
    },
  }),
  getDashboardChart: scripted({
    weight: 1,
    args: fc.record({ install: ref }),
    toInput: (args, known) => {
      const { dashboardId: positionId, ...rest } = toDashboardInstall(args, known)
      return { ...rest, positionId }
    },
  }),
}

export const chartSamples: SamplesIn<'charts'> = ({
  baseId,
  tableId,
  dashboardId,
  dashboardInstallId,
  pluginPanelId,
  panelInstallId,
}) => ({
  getPanelChart: {
    input: { pluginInstallId: panelInstallId, positionId: pluginPanelId, tableId },
  },
  getDashboardChart: {
    input: { pluginInstallId: dashboardInstallId, positionId: dashboardId, baseId },
  },
  queryBase: { input: { baseId, query: { from: tableId } } },
})
