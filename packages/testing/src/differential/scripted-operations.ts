import type { UseCaseName } from '@gateleg/domain/api'
import type { UseCases } from '@gateleg/domain/use-cases'
import { accessTokenOperations } from '../operations/access-tokens.ts'
import { accountOperations } from '../operations/accounts.ts'
import { aggregationOperations } from '../operations/aggregations.ts'
import { archiveOperations } from '../operations/archives.ts'
import { attachmentOperations } from '../operations/attachments.ts'
import { baseOperations } from '../operations/bases.ts'
import { billingOperations } from '../operations/billing.ts'
import { chartOperations } from '../operations/charts.ts'
import { collaboratorOperations } from '../operations/collaborators.ts'
import { commentOperations } from '../operations/comments.ts'
import { contextMenuOperations } from '../operations/context-menus.ts'
import { dashboardOperations } from '../operations/dashboards.ts'
import { exportOperations } from '../operations/exports.ts'
import { fieldOperations } from '../operations/fields.ts'
import { historyOperations } from '../operations/history.ts'
import { identityOperations } from '../operations/identities.ts'
import { importOperations } from '../operations/imports.ts'
import { invitationLinkOperations } from '../operations/invitation-links.ts'
import { loginProviderOperations } from '../operations/login-providers.ts'
import { oauthClientOperations } from '../operations/oauth-clients.ts'
import { oauthGrantOperations } from '../operations/oauth-grants.ts'
import { lastVisitOperations, pinOperations } from '../operations/pins.ts'
import { pluginGrantOperations } from '../operations/plugin-grants.ts'
import { pluginPanelOperations } from '../operations/plugin-panels.ts'
import { pluginViewOperations } from '../operations/plugin-views.ts'
import { pluginOperations } from '../operations/plugins.ts'
import { recordOperations } from '../operations/records.ts'
import { selectionOperations } from '../operations/selections.ts'
import { shareOperations } from '../operations/shares.ts'
import { spaceOperations } from '../operations/spaces.ts'
import { tableOperations } from '../operations/tables.ts'
import { trashOperations } from '../operations/trash.ts'
import { treeOperations } from '../operations/tree.ts'
import { undoOperations } from '../operations/undo.ts'
import { viewOperations } from '../operations/views.ts'
import { workflowOperations } from '../operations/workflows.ts'
import type { ScriptedFeature, ScriptedOperation } from '../scripts/scripted-operation.ts'

/** How scripts call every operation there is. An operation of the product that is missing is a type error. */
const features: { readonly [Feature in keyof UseCases]: ScriptedFeature<Feature> } = {
  accounts: accountOperations,
  accessTokens: accessTokenOperations,
  spaces: spaceOperations,
  billing: billingOperations,
  loginProviders: loginProviderOperations,
  identities: identityOperations,
  plugins: pluginOperations,
  pluginGrants: pluginGrantOperations,
  oauthClients: oauthClientOperations,
  oauthGrants: oauthGrantOperations,
  bases: baseOperations,
  collaborators: collaboratorOperations,
  invitationLinks: invitationLinkOperations,
  pins: pinOperations,
  lastVisits: lastVisitOperations,
  tree: treeOperations,
  dashboards: dashboardOperations,
  tables: tableOperations,
  pluginPanels: pluginPanelOperations,
  contextMenus: contextMenuOperations,
  fields: fieldOperations,
  records: recordOperations,
  history: historyOperations,
  comments: commentOperations,
  undo: undoOperations,
  views: viewOperations,
  pluginViews: pluginViewOperations,
  shares: shareOperations,
  aggregations: aggregationOperations,
  charts: chartOperations,
  archives: archiveOperations,
  exports: exportOperations,
  selections: selectionOperations,
  attachments: attachmentOperations,
  imports: importOperations,
  trash: trashOperations,
  workflows: workflowOperations,
}

/** The operations by `feature.name`. */
export const scriptedOperations: ReadonlyMap<UseCaseName, ScriptedOperation> = new Map(
  Object.entries(features).flatMap(([feature, operations]) =>
    Object.entries(operations).map(
      ([name, operation]) => [`${feature}.${name}` as UseCaseName, operation] as const,
    ),
  ),
)
