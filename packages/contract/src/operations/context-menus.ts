import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

const menu = '/table/{tableId}/plugin-context-menu'
const one = `${menu}/{pluginInstallId}` as const
const example = { tableId: '{tableId}', pluginInstallId: '{menuInstallId}' }

export const contextMenuRoutes: FeatureRoutes<'contextMenus'> = {
  installInContextMenu: {
    ...post(`${menu}/install`),
    isVersioned: true,
    purpose:
      "Installs a plugin in the context menu of a table's records, as the last entry. Without a name it gets that of the plugin.",
    example: { tableId: '{tableId}', pluginId: 'plgcontextexample', name: 'Look closer' },
  },
  listContextMenu: {
    ...get(menu),
    purpose: "Lists the plugins in the context menu of a table's records, in their order.",
    example: { tableId: '{tableId}' },
  },
  getContextMenuEntry: {
    ...get(one),
    isVersioned: true,
    purpose:
      "Returns a plugin in the context menu of a table's records, with the URL of its page and how the page is shown.",
    example,
  },
  removeFromContextMenu: {
    ...del(one),
    purpose:
      "Removes a plugin from the context menu of a table's records for good, with what it stores there.",
    example,
  },
  moveContextMenuEntry: {
    ...put(`${one}/move`),
    purpose: "Moves a plugin in the context menu of a table's records before or after another one.",
    example: { ...example, anchorId: '{otherMenuInstallId}', position: 'after' },
  },
  renameContextMenuEntry: {
    ...patch(`${one}/rename`),
    isVersioned: true,
    purpose: "Renames a plugin in the context menu of a table's records.",
    example: { ...example, name: 'Details' },
  },
  setContextMenuStorage: {
    ...put(`${one}/update-storage`),
    isVersioned: true,
    purpose:
      "Replaces what a plugin in the context menu of a table's records stores there. Without `storage` it stores nothing.",
    example: { ...example, storage: { columns: ['{fieldId}'] } },
  },
  getContextMenuStorage: {
    ...get(`${one}/storage`),
    isVersioned: true,
    purpose: "Returns what a plugin in the context menu of a table's records stores there.",
    example,
  },
}
