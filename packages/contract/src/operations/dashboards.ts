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
    purpose: 'Creates a dashboard with nothing on it, with its node last at the root of the tree.',
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
    purpose: 'Answers a dashboard with its layout and the plugins on it.',
    example: { baseId: '{baseId}', dashboardId: '{dashboardId}' },
  },
  renameDashboard: {
    ...patch(`${one}/rename`),
    isVersioned: true,
    purpose: 'Renames a dashboard, and its node with it. Two dashboards may have one name.',
    example: { baseId: '{baseId}', dashboardId: '{dashboardId}', name: 'Loans by year' },
  },
  duplicateDashboard: {
    ...post(`${one}/duplicate`),
    isVersioned: true,
    purpose:
      'Copies a dashboard with all that is on it. The node of the copy stands right after that of its original.',
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
      'Replaces the layout of a dashboard. Each item names a plugin that is installed there; what no item names is not arranged.',
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
      'Puts a plugin on a dashboard, under a name, behind all others. It may be there more than once.',
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
    purpose: 'Answers a plugin on a dashboard with what it keeps there.',
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
      'Replaces what a plugin on a dashboard keeps, such as what a chart shows. Without `storage` it keeps nothing.',
    example: { ...installExample, storage: { colors: ['blue', 'green'] } },
  },
  duplicateDashboardInstall: {
    ...post(`${oneInstall}/duplicate`),
    isVersioned: true,
    purpose:
      'Copies a plugin on a dashboard with what it keeps. The copy is as large, behind all others.',
    example: { ...installExample, name: 'The same again' },
  },
  uninstallFromDashboard: {
    ...del(oneInstall),
    purpose: 'Takes a plugin from a dashboard, for good, and from its layout.',
    example: installExample,
  },
}
