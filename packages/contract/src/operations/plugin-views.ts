import { type FeatureRoutes, get, patch, post } from '../operation.ts'

const ofTable = '/table/{tableId}/view'
const one = `${ofTable}/{viewId}/plugin` as const

export const pluginViewRoutes: FeatureRoutes<'pluginViews'> = {
  installAsView: {
    ...post(`${ofTable}/plugin`),
    isVersioned: true,
    purpose:
      'Adds a view that a plugin displays, after all other views. It has the name of the plugin unless another one is given.',
    example: { tableId: '{tableId}', name: 'On the map', pluginId: '{viewPluginId}' },
  },
  getViewInstall: {
    ...get(one),
    isVersioned: true,
    purpose: 'Returns the plugin of a view with what it stores there.',
    example: { tableId: '{tableId}', viewId: '{pluginViewId}' },
  },
  setViewStorage: {
    ...patch(`${one}/{pluginInstallId}`),
    isVersioned: true,
    purpose:
      'Replaces what the plugin of a view stores there. Without `storage` it stores nothing. A locked view refuses it.',
    example: {
      tableId: '{tableId}',
      viewId: '{pluginViewId}',
      pluginInstallId: '{viewInstallId}',
      storage: { zoom: 12 },
    },
  },
}
