import { createToken } from '../access-tokens/operations/create-token.ts'
import { deleteToken } from '../access-tokens/operations/delete-token.ts'
import { getToken } from '../access-tokens/operations/get-token.ts'
import { listTokens } from '../access-tokens/operations/list-tokens.ts'
import { refreshToken } from '../access-tokens/operations/refresh-token.ts'
import { updateToken } from '../access-tokens/operations/update-token.ts'
import { addPassword } from '../accounts/operations/add-password.ts'
import { changeAvatar, removeAvatar } from '../accounts/operations/change-avatar.ts'
import { changeEmail } from '../accounts/operations/change-email.ts'
import { changeName } from '../accounts/operations/change-name.ts'
import { changePassword } from '../accounts/operations/change-password.ts'
import { changeLanguage, changeNotices } from '../accounts/operations/change-settings.ts'
import { createInviteCode } from '../accounts/operations/create-invite-code.ts'
import { deleteAccount } from '../accounts/operations/delete-account.ts'
import { getMe } from '../accounts/operations/get-me.ts'
import { getUser } from '../accounts/operations/get-user.ts'
import { listSessions } from '../accounts/operations/list-sessions.ts'
import { readAvatar } from '../accounts/operations/read-avatar.ts'
import { resetPassword } from '../accounts/operations/reset-password.ts'
import { revokeSession } from '../accounts/operations/revoke-session.ts'
import { sendChangeEmailCode } from '../accounts/operations/send-change-email-code.ts'
import { sendPasswordReset } from '../accounts/operations/send-password-reset.ts'
import { sendSignUpCode } from '../accounts/operations/send-sign-up-code.ts'
import { signIn } from '../accounts/operations/sign-in.ts'
import { signOut } from '../accounts/operations/sign-out.ts'
import { signUp } from '../accounts/operations/sign-up.ts'
import { exportBase } from '../archives/operations/export-base.ts'
import { importBase } from '../archives/operations/import-base.ts'
import { duplicateBase } from '../bases/operations/copying/duplicate-base.ts'
import { createBase } from '../bases/operations/create-base.ts'
import { deleteBase, deleteBasePermanently } from '../bases/operations/deletion/delete-base.ts'
import { getBase } from '../bases/operations/get-base.ts'
import { getBaseDiagram } from '../bases/operations/get-base-diagram.ts'
import { getBasePermissions } from '../bases/operations/get-base-permissions.ts'
import { listAllBases } from '../bases/operations/list-all-bases.ts'
import { listBases } from '../bases/operations/list-bases.ts'
import { listSharedBases } from '../bases/operations/list-shared-bases.ts'
import { moveBase } from '../bases/operations/moving/move-base.ts'
import { moveBaseToSpace } from '../bases/operations/moving/move-base-to-space.ts'
import { updateBase } from '../bases/operations/update-base.ts'
import { verifyBase } from '../bases/operations/verify-base.ts'
import { getSpaceUsage } from '../billing/operations/get-space-usage.ts'
import {
  listAddOnProducts,
  listBaseProducts,
  listProducts,
} from '../billing/operations/list-products.ts'
import { getSubscription, listSubscriptions } from '../billing/operations/list-subscriptions.ts'
import {
  listBaseInvitations,
  listSpaceInvitations,
} from '../collaborators/invitations/list-invitations.ts'
import {
  withdrawBaseInvitation,
  withdrawSpaceInvitation,
} from '../collaborators/invitations/withdraw-invitation.ts'
import { acceptInvitation } from '../collaborators/operations/accept-invitation.ts'
import {
  addBaseCollaborators,
  addSpaceCollaborators,
} from '../collaborators/operations/add-collaborators.ts'
import {
  changeBaseCollaborator,
  changeSpaceCollaborator,
} from '../collaborators/operations/change-collaborator.ts'
import { inviteToBase, inviteToSpace } from '../collaborators/operations/invite-by-email.ts'
import {
  listBaseCollaborators,
  listBaseUsers,
  listSpaceCollaborators,
} from '../collaborators/operations/list-collaborators.ts'
import {
  removeBaseCollaborator,
  removeSpaceCollaborator,
} from '../collaborators/operations/remove-collaborator.ts'
import { createDashboard } from '../dashboards/operations/create-dashboard.ts'
import { deleteDashboard } from '../dashboards/operations/delete-dashboard.ts'
import { duplicateDashboard } from '../dashboards/operations/duplicate-dashboard.ts'
import { duplicateDashboardInstall } from '../dashboards/operations/duplicate-dashboard-install.ts'
import { getDashboard } from '../dashboards/operations/get-dashboard.ts'
import { getDashboardInstall } from '../dashboards/operations/get-dashboard-install.ts'
import { installOnDashboard } from '../dashboards/operations/install-on-dashboard.ts'
import { listDashboards } from '../dashboards/operations/list-dashboards.ts'
import { renameDashboard } from '../dashboards/operations/rename-dashboard.ts'
import { renameDashboardInstall } from '../dashboards/operations/rename-dashboard-install.ts'
import { setDashboardLayout } from '../dashboards/operations/set-dashboard-layout.ts'
import { setDashboardStorage } from '../dashboards/operations/set-dashboard-storage.ts'
import { uninstallFromDashboard } from '../dashboards/operations/uninstall-from-dashboard.ts'
import { identityUseCases } from '../identities/operations/identity-use-cases.ts'
import { acceptInvitationLink } from '../invitation-links/operations/accept-link.ts'
import { changeBaseLink, changeSpaceLink } from '../invitation-links/operations/change-link.ts'
import { createBaseLink, createSpaceLink } from '../invitation-links/operations/create-link.ts'
import { listBaseLinks, listSpaceLinks } from '../invitation-links/operations/list-links.ts'
import { revokeBaseLink, revokeSpaceLink } from '../invitation-links/operations/revoke-link.ts'
import { getLastVisit, getLastVisitedNode } from '../last-visits/operations/get-last-visit.ts'
import { noteLastVisit } from '../last-visits/operations/note-last-visit.ts'
import { createLoginProvider } from '../login-providers/operations/create-login-provider.ts'
import {
  deleteLoginProvider,
  getLoginProvider,
  listLoginProviders,
} from '../login-providers/operations/list-login-providers.ts'
import { updateLoginProvider } from '../login-providers/operations/update-login-provider.ts'
import { oauthClientUseCases } from '../oauth-clients/operations/oauth-client-use-cases.ts'
import { oauthGrantUseCases } from '../oauth-grants/operations/oauth-grant-use-cases.ts'
import { addPin, movePin, removePin } from '../pins/operations/change-pins.ts'
import { listPins } from '../pins/operations/list-pins.ts'
import { createSpace } from '../spaces/operations/create-space.ts'
import { deleteSpace, deleteSpacePermanently } from '../spaces/operations/delete-space.ts'
import { getSpace } from '../spaces/operations/get-space.ts'
import { listSpaces } from '../spaces/operations/list-spaces.ts'
import { renameSpace } from '../spaces/operations/rename-space.ts'
import { searchSpace } from '../spaces/operations/search-space.ts'
import { duplicateTable } from '../tables/operations/copying/duplicate-table.ts'
import { createTable } from '../tables/operations/creation/create-table.ts'
import { deleteTable } from '../tables/operations/deletion/delete-table.ts'
import { deleteTablePermanently } from '../tables/operations/deletion/delete-table-permanently.ts'
import { describeTable } from '../tables/operations/describe-table.ts'
import { getDefaultView } from '../tables/operations/get-default-view.ts'
import { getTable } from '../tables/operations/get-table.ts'
import { getTablePermissions } from '../tables/operations/get-table-permissions.ts'
import { listActiveIndexes } from '../tables/operations/list-active-indexes.ts'
import { listTables } from '../tables/operations/list-tables.ts'
import { moveTable } from '../tables/operations/move-table.ts'
import { renameTable } from '../tables/operations/rename-table.ts'
import { setTableIcon } from '../tables/operations/set-table-icon.ts'
import { toggleIndex } from '../tables/operations/toggle-index.ts'
import { createFolder } from '../tree/operations/create-folder.ts'
import { createNode } from '../tree/operations/create-node.ts'
import { deleteFolder } from '../tree/operations/delete-folder.ts'
import { deleteNode, deleteNodePermanently } from '../tree/operations/delete-node.ts'
import { duplicateNode } from '../tree/operations/duplicate-node.ts'
import { getNode } from '../tree/operations/get-node.ts'
import { getTree } from '../tree/operations/get-tree.ts'
import { listNodes } from '../tree/operations/list-nodes.ts'
import { moveNode } from '../tree/operations/move-node.ts'
import { renameFolder } from '../tree/operations/rename-folder.ts'
import { updateNode } from '../tree/operations/update-node.ts'
import type { UseCase } from '../use-case.ts'

/** Those about people, spaces, bases and what stands in the tree of a base. */
export const workspaceUseCases = {
  accounts: {
    signUp,
    sendSignUpCode,
    createInviteCode,
    signIn,
    signOut,
    getMe,
    getUser,
    changeName,
    changeAvatar,
    removeAvatar,
    readAvatar,
    changeLanguage,
    changeNotices,
    changePassword,
    addPassword,
    sendPasswordReset,
    resetPassword,
    sendChangeEmailCode,
    changeEmail,
    listSessions,
    revokeSession,
    acceptInvitation,
    acceptInvitationLink,
    deleteAccount,
  },
  accessTokens: { createToken, listTokens, getToken, updateToken, refreshToken, deleteToken },
  spaces: {
    createSpace,
    listSpaces,
    getSpace,
    searchSpace,
    renameSpace,
    deleteSpace,
    deleteSpacePermanently,
  },
  billing: {
    listProducts,
    listBaseProducts,
    listAddOnProducts,
    getSpaceUsage,
    getSubscription,
    listSubscriptions,
  },
  loginProviders: {
    createLoginProvider,
    listLoginProviders,
    getLoginProvider,
    updateLoginProvider,
    deleteLoginProvider,
  },
  identities: identityUseCases,
  oauthClients: oauthClientUseCases,
  oauthGrants: oauthGrantUseCases,
  archives: { exportBase, importBase },
  bases: {
    createBase,
    listBases,
    listAllBases,
    listSharedBases,
    getBase,
    updateBase,
    moveBase,
    moveBaseToSpace,
    deleteBase,
    deleteBasePermanently,
    duplicateBase,
    getBasePermissions,
    getBaseDiagram,
    verifyBase,
  },
  collaborators: {
    listSpaceCollaborators,
    addSpaceCollaborators,
    inviteToSpace,
    inviteToBase,
    changeSpaceCollaborator,
    removeSpaceCollaborator,
    listBaseCollaborators,
    listBaseUsers,
    addBaseCollaborators,
    changeBaseCollaborator,
    removeBaseCollaborator,
    listSpaceInvitations,
    withdrawSpaceInvitation,
    listBaseInvitations,
    withdrawBaseInvitation,
  },
  invitationLinks: {
    createSpaceLink,
    listSpaceLinks,
    changeSpaceLink,
    revokeSpaceLink,
    createBaseLink,
    listBaseLinks,
    changeBaseLink,
    revokeBaseLink,
  },
  pins: { listPins, addPin, removePin, movePin },
  lastVisits: { getLastVisit, getLastVisitedNode, noteLastVisit },
  tree: {
    createNode,
    getNode,
    listNodes,
    getTree,
    updateNode,
    moveNode,
    duplicateNode,
    deleteNode,
    deleteNodePermanently,
    createFolder,
    renameFolder,
    deleteFolder,
  },
  dashboards: {
    createDashboard,
    listDashboards,
    getDashboard,
    renameDashboard,
    duplicateDashboard,
    deleteDashboard,
    setDashboardLayout,
    installOnDashboard,
    getDashboardInstall,
    renameDashboardInstall,
    setDashboardStorage,
    duplicateDashboardInstall,
    uninstallFromDashboard,
  },
  tables: {
    createTable,
    listTables,
    getTable,
    getDefaultView,
    getTablePermissions,
    renameTable,
    describeTable,
    setTableIcon,
    moveTable,
    duplicateTable,
    toggleIndex,
    listActiveIndexes,
    deleteTable,
    deleteTablePermanently,
  },
} as const satisfies Record<string, Record<string, UseCase>>
