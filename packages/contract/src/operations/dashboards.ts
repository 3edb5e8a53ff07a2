import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

const ofBase = '/base/{baseId}/dashboard'
const one = `${ofBase}/{dashboardId}` as const

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
    purpose: 'Answers a dashboard.',
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
    purpose: 'Copies a dashboard. The node of the copy stands right after that of its original.',
    example: { baseId: '{baseId}', dashboardId: '{dashboardId}' },
  },
  deleteDashboard: {
    ...del(one),
    purpose: 'Moves a dashboard to the trash of its base, with its node.',
    example: { baseId: '{baseId}', dashboardId: '{dashboardId}' },
  },
}
