import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

const ofTable = '/table/{tableId}/plugin-panel'
const one = `${ofTable}/{pluginPanelId}` as const
const oneInstall = `${one}/plugin/{pluginInstallId}` as const

const panelExample = { tableId: '{tableId}', pluginPanelId: '{pluginPanelId}' }
const installExample = { ...panelExample, pluginInstallId: '{panelInstallId}' }

export const pluginPanelRoutes: FeatureRoutes<'pluginPanels'> = {
  createPanel: {
    ...post(ofTable),
    isVersioned: true,
    purpose: 'Creates an empty plugin panel of a table.',
    example: { tableId: '{tableId}', name: 'At a glance' },
  },
  listPanels: {
    ...get(ofTable),
    purpose: 'Lists the plugin panels of a table, oldest first.',
    example: { tableId: '{tableId}' },
  },
  getPanel: {
    ...get(one),
    isVersioned: true,
    purpose: 'Returns a plugin panel with its layout and the plugins on it.',
    example: panelExample,
  },
  renamePanel: {
    ...patch(`${one}/rename`),
    isVersioned: true,
    purpose: 'Renames a plugin panel. Two panels may have the same name.',
    example: { ...panelExample, name: 'Overview' },
  },
  setPanelLayout: {
    ...patch(`${one}/layout`),
    isVersioned: true,
    purpose:
      'Replaces the layout of a plugin panel. Each item places one plugin that is installed there; a plugin that no item names has no place.',
    example: {
      ...panelExample,
      layout: [{ pluginInstallId: '{panelInstallId}', x: 0, y: 0, w: 1, h: 5 }],
    },
  },
  duplicatePanel: {
    ...post(`${one}/duplicate`),
    isVersioned: true,
    purpose: 'Copies a plugin panel with everything on it.',
    example: panelExample,
  },
  deletePanel: {
    ...del(one),
    purpose: 'Deletes a plugin panel for good, with everything on it.',
    example: panelExample,
  },
  installOnPanel: {
    ...post(`${one}/install`),
    isVersioned: true,
    purpose:
      'Installs a plugin on a panel, below all others, with its own name unless another one is given.',
    example: { ...panelExample, pluginId: 'plgchart' },
  },
  getPanelInstall: {
    ...get(oneInstall),
    isVersioned: true,
    purpose: 'Returns a plugin on a panel with what it stores there.',
    example: installExample,
  },
  renamePanelInstall: {
    ...patch(`${oneInstall}/rename`),
    isVersioned: true,
    purpose: 'Renames a plugin on a panel.',
    example: { ...installExample, name: 'Pages by author' },
  },
  setPanelStorage: {
    ...patch(`${oneInstall}/update-storage`),
    isVersioned: true,
    purpose:
      'Replaces what a plugin on a panel stores there, such as the settings of a chart. Without `storage` it stores nothing.',
    example: { ...installExample, storage: { colors: ['blue', 'green'] } },
  },
  duplicatePanelInstall: {
    ...post(`${oneInstall}/duplicate`),
    isVersioned: true,
    purpose:
      'Copies a plugin on a panel with what it stores. The copy has the same size, and comes below all others.',
    example: { ...installExample, name: 'The same again' },
  },
  uninstallFromPanel: {
    ...del(oneInstall),
    purpose: 'Removes a plugin from a panel and its layout for good.',
    example: installExample,
  },
}
