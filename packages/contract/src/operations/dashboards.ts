import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

const ofBase = '/base/{baseId}/dashboard'
const one = `${ofBase}/{dashboardId}` as const
const oneInstall = `${one}/plugin/{pluginInstallId}` as const

const installExample = {
  baseId: '{baseId}',
  dashboardId: '{dashboardId}',
  pluginInstallId: '{dashboardInstallId}',
}

export const dashboardRoutes: FeatureRoutes<'dashboards'> = {
  createDashboard: {
    ...post(ofBase),
    isVersioned: true,
    purpose: 'Creates an empty dashboard, with its node last at the root of the tree.',
    example: { baseId: '{baseId}', name: 'Loans by month' },
  },
  listDashboards: {
    ...get(ofBase),
    purpose: 'Lists the dashboards of a base, oldest first.',
    example: { baseId: '{baseId}' },
  },
  getDashboard: {
    ...get(one),
    isVersioned: true,
    purpose: 'Returns a dashboard with its layout and the plugins on it.',
    example: { baseId: '{baseId}', dashboardId: '{dashboardId}' },
  },
  renameDashboard: {
    ...patch(`${one}/rename`),
    isVersioned: true,
    purpose: 'Renames a dashboard, and its node with it. Two dashboards may have the same name.',
    example: { baseId: '{baseId}', dashboardId: '{dashboardId}', name: 'Loans by year' },
  },
  duplicateDashboard: {
    ...post(`${one}/duplicate`),
    isVersioned: true,
    purpose:
      'Copies a dashboard with everything on it. The node of the copy comes right after that of the original.',
    example: { baseId: '{baseId}', dashboardId: '{dashboardId}' },
  },
  deleteDashboard: {
    ...del(one),
    purpose: 'Moves a dashboard to the trash of its base, with its node.',
    example: { baseId: '{baseId}', dashboardId: '{dashboardId}' },
  },
  setDashboardLayout: {
    ...patch(`${one}/layout`),
    isVersioned: true,
    purpose:
      'Replaces the layout of a dashboard. Each item places one plugin that is installed there; a plugin that no item names has no place.',
    example: {
      baseId: '{baseId}',
      dashboardId: '{dashboardId}',
      layout: [{ pluginInstallId: '{dashboardInstallId}', x: 0, y: 0, w: 6, h: 4 }],
    },
  },
  installOnDashboard: {
    ...post(`${one}/plugin`),
    isVersioned: true,
    purpose:
      'Installs a plugin on a dashboard with a name, after all others. A plugin may be installed there more than once.',
    example: {
      baseId: '{baseId}',
      dashboardId: '{dashboardId}',
      name: 'Loans by month',
      pluginId: 'plgchart',
    },
  },
  getDashboardInstall: {
    ...get(oneInstall),
    isVersioned: true,
    purpose: 'Returns a plugin on a dashboard with what it stores there.',
    example: installExample,
  },
  renameDashboardInstall: {
    ...patch(`${oneInstall}/rename`),
    isVersioned: true,
    purpose: 'Renames a plugin on a dashboard.',
    example: { ...installExample, name: 'Loans by year' },
  },
  setDashboardStorage: {
    ...patch(`${oneInstall}/update-storage`),
    isVersioned: true,
    purpose:
      'Replaces what a plugin on a dashboard stores there, such as the settings of a chart. Without `storage` it stores nothing.',
    example: { ...installExample, storage: { colors: ['blue', 'green'] } },
  },
  duplicateDashboardInstall: {
    ...post(`${oneInstall}/duplicate`),
    isVersioned: true,
    purpose:
      'Copies a plugin on a dashboard with what it stores. The copy has the same size, and comes after all others.',
    example: { ...installExample, name: 'The same again' },
  },
  uninstallFromDashboard: {
    ...del(oneInstall),
    purpose: 'Removes a plugin from a dashboard and its layout for good.',
    example: installExample,
  },
}
