import {
  moveContextMenuEntry,
  removeFromContextMenu,
  renameContextMenuEntry,
  setContextMenuStorage,
} from '../context-menus/operations/change-context-menu.ts'
import { installInContextMenu } from '../context-menus/operations/install-in-context-menu.ts'
import {
  getContextMenuEntry,
  getContextMenuStorage,
  listContextMenu,
} from '../context-menus/operations/list-context-menu.ts'
import { createPageToken } from '../plugin-grants/operations/create-page-token.ts'
import { createPluginCode } from '../plugin-grants/operations/create-plugin-code.ts'
import { deletePluginGrant } from '../plugin-grants/operations/delete-plugin-grant.ts'
import { listPluginGrants } from '../plugin-grants/operations/list-plugin-grants.ts'
import {
  createPluginToken,
  refreshPluginToken,
} from '../plugin-grants/operations/trade-plugin-code.ts'
import { createPanel } from '../plugin-panels/operations/create-panel.ts'
import { deletePanel } from '../plugin-panels/operations/delete-panel.ts'
import { duplicatePanel } from '../plugin-panels/operations/duplicate-panel.ts'
import { duplicatePanelInstall } from '../plugin-panels/operations/duplicate-panel-install.ts'
import { getPanel } from '../plugin-panels/operations/get-panel.ts'
import { getPanelInstall } from '../plugin-panels/operations/get-panel-install.ts'
import { installOnPanel } from '../plugin-panels/operations/install-on-panel.ts'
import { listPanels } from '../plugin-panels/operations/list-panels.ts'
import { renamePanel } from '../plugin-panels/operations/rename-panel.ts'
import { renamePanelInstall } from '../plugin-panels/operations/rename-panel-install.ts'
import { setPanelLayout } from '../plugin-panels/operations/set-panel-layout.ts'
import { setPanelStorage } from '../plugin-panels/operations/set-panel-storage.ts'
import { uninstallFromPanel } from '../plugin-panels/operations/uninstall-from-panel.ts'
import { getViewInstall } from '../plugin-views/operations/get-view-install.ts'
import { installAsView } from '../plugin-views/operations/install-as-view.ts'
import { setViewStorage } from '../plugin-views/operations/set-view-storage.ts'
import {
  publishPlugin,
  submitPlugin,
  unpublishPlugin,
  withdrawPlugin,
} from '../plugins/operations/change-plugin-status.ts'
import { createPlugin } from '../plugins/operations/create-plugin.ts'
import { deletePlugin } from '../plugins/operations/delete-plugin.ts'
import { listInstallablePlugins } from '../plugins/operations/list-installable-plugins.ts'
import { getPlugin, listPlugins } from '../plugins/operations/list-plugins.ts'
import { regeneratePluginSecret } from '../plugins/operations/regenerate-plugin-secret.ts'
import { updatePlugin } from '../plugins/operations/update-plugin.ts'
import type { UseCase } from '../use-case.ts'

/** The use cases that are about plugins, and where people put them: a part of the table of all. */
export const pluginUseCases = {
  plugins: {
    createPlugin,
    listPlugins,
    listInstallablePlugins,
    getPlugin,
    updatePlugin,
    deletePlugin,
    regeneratePluginSecret,
    submitPlugin,
    unpublishPlugin,
    publishPlugin,
    withdrawPlugin,
  },
  pluginGrants: {
    createPluginCode,
    createPluginToken,
    createPageToken,
    refreshPluginToken,
    listPluginGrants,
    deletePluginGrant,
  },
  pluginPanels: {
    createPanel,
    listPanels,
    getPanel,
    renamePanel,
    setPanelLayout,
    duplicatePanel,
    deletePanel,
    installOnPanel,
    getPanelInstall,
    renamePanelInstall,
    setPanelStorage,
    duplicatePanelInstall,
    uninstallFromPanel,
  },
  pluginViews: { installAsView, getViewInstall, setViewStorage },
  contextMenus: {
    installInContextMenu,
    listContextMenu,
    getContextMenuEntry,
    renameContextMenuEntry,
    moveContextMenuEntry,
    setContextMenuStorage,
    getContextMenuStorage,
    removeFromContextMenu,
  },
} as const satisfies Record<string, Record<string, UseCase>>
