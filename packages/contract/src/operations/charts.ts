import { type FeatureRoutes, get } from '../operation.ts'

export const chartRoutes: FeatureRoutes<'charts'> = {
  queryBase: {
    ...get('/base/{baseId}/query'),
    purpose:
      'Runs a query for a chart: returns rows of tables of a base, joined, grouped and with statistics.',
    example: {
      baseId: '{baseId}',
      query: {
        from: '{tableId}',
        groupBy: [{ column: '{titleFieldId}', type: 'field' }],
        aggregation: [{ column: '{fieldId}', type: 'field', statisticFunc: 'sum' }],
        orderBy: [{ column: '{fieldId}_sum', type: 'aggregation', order: 'desc' }],
      },
      cellFormat: 'json',
    },
  },
  getPanelChart: {
    ...get('/plugin/chart/{pluginInstallId}/plugin-panel/{positionId}/query'),
    purpose: 'Returns the query that a plugin on a panel of a table keeps in its storage.',
    example: {
      pluginInstallId: '{panelInstallId}',
      positionId: '{pluginPanelId}',
      tableId: '{tableId}',
    },
  },
  getDashboardChart: {
    ...get('/plugin/chart/{pluginInstallId}/dashboard/{positionId}/query'),
    purpose: 'Returns the query that a plugin on a dashboard keeps in its storage.',
    example: {
      pluginInstallId: '{dashboardInstallId}',
      positionId: '{dashboardId}',
      baseId: '{baseId}',
    },
  },
}
