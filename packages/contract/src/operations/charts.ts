import { type FeatureRoutes, get } from '../operation.ts'

export const chartRoutes: FeatureRoutes<'charts'> = {
  queryBase: {
    ...get('/base/{baseId}/query'),
    purpose:
      'Answers rows of the tables of a base, joined, grouped and with statistics, as a query asks that a chart may save.',
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
    purpose: 'Answers the query that a plugin keeps on a panel of a table, as its storage has it.',
    example: {
      pluginInstallId: '{panelInstallId}',
      positionId: '{pluginPanelId}',
      tableId: '{tableId}',
    },
  },
  getDashboardChart: {
    ...get('/plugin/chart/{pluginInstallId}/dashboard/{positionId}/query'),
    purpose: 'Answers the query that a plugin keeps on a dashboard, as its storage has it.',
    example: {
      pluginInstallId: '{dashboardInstallId}',
      positionId: '{dashboardId}',
      baseId: '{baseId}',
    },
  },
}
