import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

const menu = '/table/{tableId}/plugin-context-menu'
const one = `${menu}/{pluginInstallId}` as const
const example = { tableId: '{tableId}', pluginInstallId: '{menuInstallId}' }

export const contextMenuRoutes: FeatureRoutes<'contextMenus'> = {
  installInContextMenu: {
    ...post(`${menu}/install`),
    isVersioned: true,
    purpose:
      "Puts a plugin into the menu of a table's records, behind all others. Without a name it has that of the plugin.",
    example: { tableId: '{tableId}', pluginId: 'plgcontextexample', name: 'Look closer' },
  },
  listContextMenu: {
    ...get(menu),
    purpose: "Lists the plugins in the menu of a table's records, in their order.",
    example: { tableId: '{tableId}' },
  },
  getContextMenuEntry: {
    ...get(one),
    isVersioned: true,
    purpose:
      "Answers one plugin in the menu of a table's records, with the URL of its page and how that is shown.",
    example,
  },
  removeFromContextMenu: {
    ...del(one),
    purpose:
      "Takes a plugin out of the menu of a table's records, for good, with what it keeps there.",
    example,
  },
  moveContextMenuEntry: {
    ...put(`${one}/move`),
    purpose: "Moves a plugin in the menu of a table's records before or after another one.",
    example: { ...example, anchorId: '{otherMenuInstallId}', position: 'after' },
  },
  renameContextMenuEntry: {
    ...patch(`${one}/rename`),
    isVersioned: true,
    purpose: "Renames a plugin in the menu of a table's records.",
    example: { ...example, name: 'Details' },
  },
  setContextMenuStorage: {
    ...put(`${one}/update-storage`),
    isVersioned: true,
    purpose:
      "Replaces what a plugin in the menu of a table's records keeps there; without `storage` it keeps nothing.",
    example: { ...example, storage: { columns: ['{fieldId}'] } },
  },
  getContextMenuStorage: {
    ...get(`${one}/storage`),
    isVersioned: true,
    purpose: "Answers what a plugin in the menu of a table's records keeps there.",
    example,
  },
}
