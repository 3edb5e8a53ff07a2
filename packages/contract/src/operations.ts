import type { UseCaseName } from '@gateleg/domain/api'
import { isPublic, type UseCase } from '@gateleg/domain/use-case'
import { type UseCases, useCases } from '@gateleg/domain/use-cases'
import type { Operation, Route, Routes } from './operation.ts'
import { accessTokenRoutes } from './operations/access-tokens.ts'
import { accountRoutes } from './operations/accounts.ts'
import { aggregationRoutes } from './operations/aggregations.ts'
import { archiveRoutes } from './operations/archives.ts'
import { attachmentRoutes } from './operations/attachments.ts'
import { baseRoutes } from './operations/bases.ts'
import { billingRoutes } from './operations/billing.ts'
import { chartRoutes } from './operations/charts.ts'
import { collaboratorRoutes } from './operations/collaborators.ts'
import { commentRoutes } from './operations/comments.ts'
import { contextMenuRoutes } from './operations/context-menus.ts'
import { dashboardRoutes } from './operations/dashboards.ts'
import { exportRoutes } from './operations/exports.ts'
import { fieldRoutes } from './operations/fields.ts'
import { historyRoutes } from './operations/history.ts'
import { identityRoutes } from './operations/identities.ts'
import { importRoutes } from './operations/imports.ts'
import { invitationLinkRoutes } from './operations/invitation-links.ts'
import { loginProviderRoutes } from './operations/login-providers.ts'
import { oauthClientRoutes } from './operations/oauth-clients.ts'
import { oauthGrantRoutes } from './operations/oauth-grants.ts'
import { lastVisitRoutes, pinRoutes } from './operations/pins.ts'
import { pluginGrantRoutes } from './operations/plugin-grants.ts'
import { pluginPanelRoutes } from './operations/plugin-panels.ts'
import { pluginViewRoutes } from './operations/plugin-views.ts'
import { pluginRoutes } from './operations/plugins.ts'
import { recordRoutes } from './operations/records.ts'
import { selectionRoutes } from './operations/selections.ts'
import { shareRoutes } from './operations/shares.ts'
import { spaceRoutes } from './operations/spaces.ts'
import { tableRoutes } from './operations/tables.ts'
import { trashRoutes } from './operations/trash.ts'
import { treeRoutes } from './operations/tree.ts'
import { undoRoutes } from './operations/undo.ts'
import { viewRoutes } from './operations/views.ts'
import { workflowRoutes } from './operations/workflows.ts'

/** Where every use case is found. A use case without a route, or the reverse, is a type error. */
const routes: Routes = {
  accounts: accountRoutes,
  accessTokens: accessTokenRoutes,
  spaces: spaceRoutes,
  billing: billingRoutes,
  loginProviders: loginProviderRoutes,
  identities: identityRoutes,
  oauthClients: oauthClientRoutes,
  oauthGrants: oauthGrantRoutes,
  plugins: pluginRoutes,
  pluginGrants: pluginGrantRoutes,
  bases: baseRoutes,
  archives: archiveRoutes,
  collaborators: collaboratorRoutes,
  invitationLinks: invitationLinkRoutes,
  pins: pinRoutes,
  lastVisits: lastVisitRoutes,
  tree: treeRoutes,
  dashboards: dashboardRoutes,
  tables: tableRoutes,
  pluginPanels: pluginPanelRoutes,
  contextMenus: contextMenuRoutes,
  fields: fieldRoutes,
  records: recordRoutes,
  history: historyRoutes,
  comments: commentRoutes,
  undo: undoRoutes,
  views: viewRoutes,
  pluginViews: pluginViewRoutes,
  shares: shareRoutes,
  aggregations: aggregationRoutes,
  charts: chartRoutes,
  exports: exportRoutes,
  selections: selectionRoutes,
  attachments: attachmentRoutes,
  imports: importRoutes,
  trash: trashRoutes,
  workflows: workflowRoutes,
}

/** Every operation of the HTTP interface: the router, the documentation and the client are made of it. */
export const operations: readonly Operation[] = Object.entries(routes).flatMap(
  ([feature, routesByName]) =>
    Object.entries(routesByName).map(([name, route]) =>
      toOperation(feature as keyof UseCases, name, route as DocumentedRoute),
    ),
)

type DocumentedRoute = Route & Pick<Operation, 'purpose' | 'example' | 'isVersioned'>

function toOperation(feature: keyof UseCases, name: string, route: DocumentedRoute): Operation {
  const useCase = (useCases[feature] as Record<string, UseCase>)[name] as UseCase
  return {
    ...route,
    name: `${feature}.${name}` as UseCaseName,
    feature,
    useCase,
    pathMembers: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, member]) => member as string),
    hasQueryInput:
      (['GET', 'DELETE'].includes(route.method) && !route.isInBody) ||
      route.fileMember !== undefined ||
      route.isInQuery === true,
    isPublic: isPublic(useCase),
    isOfShare: useCase.access.requirement.on === 'share',
  }
}
