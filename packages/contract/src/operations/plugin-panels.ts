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
    purpose: 'Creates a plugin panel of a table, with nothing on it.',
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
    purpose: 'Answers a plugin panel with its layout and the plugins on it.',
    example: panelExample,
  },
  renamePanel: {
    ...patch(`${one}/rename`),
    isVersioned: true,
    purpose: 'Renames a plugin panel. Two panels may have one name.',
    example: { ...panelExample, name: 'Overview' },
  },
  setPanelLayout: {
    ...patch(`${one}/layout`),
    isVersioned: true,
    purpose:
      'Replaces the layout of a plugin panel. Each item names a plugin that is installed there; what no item names is not arranged.',
    example: {
      ...panelExample,
      layout: [{ pluginInstallId: '{panelInstallId}', x: 0, y: 0, w: 1, h: 5 }],
    },
  },
  duplicatePanel: {
    ...post(`${one}/duplicate`),
    isVersioned: true,
    purpose: 'Copies a plugin panel with all that is on it.',
    example: panelExample,
  },
  deletePanel: {
    ...del(one),
    purpose: 'Removes a plugin panel with all that is on it, for good.',
    example: panelExample,
  },
  installOnPanel: {
    ...post(`${one}/install`),
    isVersioned: true,
    purpose:
      'Puts a plugin on a panel, below all others, under its own name unless another one is given.',
    example: { ...panelExample, pluginId: 'plgchart' },
  },
  getPanelInstall: {
    ...get(oneInstall),
    isVersioned: true,
    purpose: 'Answers a plugin on a panel with what it keeps there.',
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
      'Replaces what a plugin on a panel keeps, such as what a chart shows. Without `storage` it keeps nothing.',
    example: { ...installExample, storage: { colors: ['blue', 'green'] } },
  },
  duplicatePanelInstall: {
    ...post(`${oneInstall}/duplicate`),
    isVersioned: true,
    purpose:
      'Copies a plugin on a panel with what it keeps. The copy is as large, below all others.',
    example: { ...installExample, name: 'The same again' },
  },
  uninstallFromPanel: {
    ...del(oneInstall),
    purpose: 'Takes a plugin from a panel, for good, and from its layout.',
    example: installExample,
  },
}
