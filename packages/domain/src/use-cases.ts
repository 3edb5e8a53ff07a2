import { createToken } from './access-tokens/operations/create-token.ts'
import { deleteToken } from './access-tokens/operations/delete-token.ts'
import { getToken } from './access-tokens/operations/get-token.ts'
import { listTokens } from './access-tokens/operations/list-tokens.ts'
import { refreshToken } from './access-tokens/operations/refresh-token.ts'
import { updateToken } from './access-tokens/operations/update-token.ts'
import { changeName } from './accounts/operations/change-name.ts'
import { changePassword } from './accounts/operations/change-password.ts'
import { createInviteCode } from './accounts/operations/create-invite-code.ts'
import { getMe } from './accounts/operations/get-me.ts'
import { getUser } from './accounts/operations/get-user.ts'
import { listSessions } from './accounts/operations/list-sessions.ts'
import { revokeSession } from './accounts/operations/revoke-session.ts'
import { sendSignUpCode } from './accounts/operations/send-sign-up-code.ts'
import { signIn } from './accounts/operations/sign-in.ts'
import { signOut } from './accounts/operations/sign-out.ts'
import { signUp } from './accounts/operations/sign-up.ts'
import { aggregateRecords } from './aggregations/operations/aggregate-records.ts'
import { getCalendarDays } from './aggregations/operations/get-calendar-days.ts'
import { getGroupPoints } from './aggregations/operations/get-group-points.ts'
import { getRecordIndex } from './aggregations/operations/get-record-index.ts'
import { getRowCount } from './aggregations/operations/get-row-count.ts'
import { getSearchCount } from './aggregations/operations/get-search-count.ts'
import { getSearchIndex } from './aggregations/operations/get-search-index.ts'
import { getTaskStatus } from './aggregations/operations/get-task-status.ts'
import { exportBase } from './archives/operations/export-base.ts'
import { importBase } from './archives/operations/import-base.ts'
import { finishUpload } from './attachments/operations/finish-upload.ts'
import { insertAttachment } from './attachments/operations/insert-attachment.ts'
import { readAttachment } from './attachments/operations/read-attachment.ts'
import { requestUpload } from './attachments/operations/request-upload.ts'
import { uploadAttachment } from './attachments/operations/upload-attachment.ts'
import { uploadContent } from './attachments/operations/upload-content.ts'
import { createBase } from './bases/operations/create-base.ts'
import { deleteBase, deleteBasePermanently } from './bases/operations/delete-base.ts'
import { duplicateBase } from './bases/operations/duplicate-base.ts'
import { getBase } from './bases/operations/get-base.ts'
import { getBasePermissions } from './bases/operations/get-base-permissions.ts'
import { listAllBases } from './bases/operations/list-all-bases.ts'
import { listBases } from './bases/operations/list-bases.ts'
import { moveBase } from './bases/operations/move-base.ts'
import { updateBase } from './bases/operations/update-base.ts'
import { verifyBase } from './bases/operations/verify-base.ts'
import { getSpaceUsage } from './billing/operations/get-space-usage.ts'
import {
  listAddOnProducts,
  listBaseProducts,
  listProducts,
} from './billing/operations/list-products.ts'
import { getSubscription, listSubscriptions } from './billing/operations/list-subscriptions.ts'
import { getDashboardChart, getPanelChart } from './charts/operations/get-chart.ts'
import { queryBase } from './charts/operations/query-base.ts'
import { listBaseInvitations, listSpaceInvitations } from './collaborators/list-invitations.ts'
import { acceptInvitation } from './collaborators/operations/accept-invitation.ts'
import {
  addBaseCollaborators,
  addSpaceCollaborators,
} from './collaborators/operations/add-collaborators.ts'
import {
  changeBaseCollaborator,
  changeSpaceCollaborator,
} from './collaborators/operations/change-collaborator.ts'
import { inviteToBase, inviteToSpace } from './collaborators/operations/invite-by-email.ts'
import {
  listBaseCollaborators,
  listSpaceCollaborators,
} from './collaborators/operations/list-collaborators.ts'
import {
  removeBaseCollaborator,
  removeSpaceCollaborator,
} from './collaborators/operations/remove-collaborator.ts'
import {
  withdrawBaseInvitation,
  withdrawSpaceInvitation,
} from './collaborators/withdraw-invitation.ts'
import { countComments, countCommentsOfList } from './comments/operations/count-comments.ts'
import { createComment } from './comments/operations/create-comment.ts'
import { deleteComment } from './comments/operations/delete-comment.ts'
import { getComment } from './comments/operations/get-comment.ts'
import { listComments } from './comments/operations/list-comments.ts'
import { reactToComment, takeReactionBack } from './comments/operations/react-to-comment.ts'
import { updateComment } from './comments/operations/update-comment.ts'
import { createDashboard } from './dashboards/operations/create-dashboard.ts'
import { deleteDashboard } from './dashboards/operations/delete-dashboard.ts'
import { duplicateDashboard } from './dashboards/operations/duplicate-dashboard.ts'
import { duplicateDashboardInstall } from './dashboards/operations/duplicate-dashboard-install.ts'
import { getDashboard } from './dashboards/operations/get-dashboard.ts'
import { getDashboardInstall } from './dashboards/operations/get-dashboard-install.ts'
import { installOnDashboard } from './dashboards/operations/install-on-dashboard.ts'
import { listDashboards } from './dashboards/operations/list-dashboards.ts'
import { renameDashboard } from './dashboards/operations/rename-dashboard.ts'
import { renameDashboardInstall } from './dashboards/operations/rename-dashboard-install.ts'
import { setDashboardLayout } from './dashboards/operations/set-dashboard-layout.ts'
import { setDashboardStorage } from './dashboards/operations/set-dashboard-storage.ts'
import { uninstallFromDashboard } from './dashboards/operations/uninstall-from-dashboard.ts'
import { exportTable } from './exports/operations/export-table.ts'
import { convertField } from './fields/operations/conversion/convert-field.ts'
import { createField } from './fields/operations/create-field.ts'
import { deleteField } from './fields/operations/delete-field.ts'
import { deleteFields } from './fields/operations/delete-fields.ts'
import { duplicateField } from './fields/operations/duplicate-field.ts'
import { getDeleteReferences } from './fields/operations/get-delete-references.ts'
import { getField } from './fields/operations/get-field.ts'
import { listFieldFilterRecords } from './fields/operations/list-field-filter-records.ts'
import { listFields } from './fields/operations/list-fields.ts'
import { planConversion } from './fields/operations/plans/plan-conversion.ts'
import { planCreation } from './fields/operations/plans/plan-creation.ts'
import { planDeletion } from './fields/operations/plans/plan-deletion.ts'
import { updateField } from './fields/operations/update-field.ts'
import { listRecordHistory } from './history/operations/list-record-history.ts'
import { listTableHistory } from './history/operations/list-table-history.ts'
import { analyzeFile } from './imports/operations/analyze-file.ts'
import { getImport } from './imports/operations/get-import.ts'
import { importRecords } from './imports/operations/import-records.ts'
import { importTable } from './imports/operations/import-table.ts'
import { createLoginProvider } from './login-providers/operations/create-login-provider.ts'
import {
  deleteLoginProvider,
  getLoginProvider,
  listLoginProviders,
} from './login-providers/operations/list-login-providers.ts'
import { updateLoginProvider } from './login-providers/operations/update-login-provider.ts'
import { pluginUseCases } from './plugin-use-cases.ts'
import { createRecords } from './records/operations/create-records.ts'
import { deleteRecord } from './records/operations/delete-record.ts'
import { deleteRecords } from './records/operations/delete-records.ts'
import { duplicateRecord } from './records/operations/duplicate-record.ts'
import { getRecord } from './records/operations/get-record.ts'
import { getRecordStatus } from './records/operations/get-record-status.ts'
import { listRecords } from './records/operations/list-records.ts'
import { submitForm } from './records/operations/submit-form.ts'
import { updateRecord } from './records/operations/update-record.ts'
import { updateRecords } from './records/operations/update-records.ts'
import { clearCells } from './selections/operations/clear-cells.ts'
import { copyCells } from './selections/operations/copy-cells.ts'
import { deleteSelectedRecords } from './selections/operations/delete-selected-records.ts'
import { findSelectedIds } from './selections/operations/find-selected-ids.ts'
import { pasteCells } from './selections/operations/paste-cells.ts'
import { previewPaste } from './selections/operations/preview-paste.ts'
import { aggregateSharedRecords } from './shares/operations/aggregate-shared-records.ts'
import { copySharedCells } from './shares/operations/copy-shared-cells.ts'
import { countSharedHits } from './shares/operations/count-shared-hits.ts'
import { countSharedRecords } from './shares/operations/count-shared-records.ts'
import { findSharedHits } from './shares/operations/find-shared-hits.ts'
import { getSharedCalendarDays } from './shares/operations/get-shared-calendar-days.ts'
import { getSharedGroupPoints } from './shares/operations/get-shared-group-points.ts'
import { getSharedView } from './shares/operations/get-shared-view.ts'
import { listSharedCollaborators } from './shares/operations/list-shared-collaborators.ts'
import { listSharedLinkRecords } from './shares/operations/list-shared-link-records.ts'
import { listSharedRecords } from './shares/operations/list-shared-records.ts'
import { proveSharePassword } from './shares/operations/prove-share-password.ts'
import { submitSharedForm } from './shares/operations/submit-shared-form.ts'
import { createSpace } from './spaces/operations/create-space.ts'
import { deleteSpace, deleteSpacePermanently } from './spaces/operations/delete-space.ts'
import { getSpace } from './spaces/operations/get-space.ts'
import { listSpaces } from './spaces/operations/list-spaces.ts'
import { renameSpace } from './spaces/operations/rename-space.ts'
import { createTable } from './tables/operations/create-table.ts'
import { deleteTable } from './tables/operations/delete-table.ts'
import { deleteTablePermanently } from './tables/operations/delete-table-permanently.ts'
import { describeTable } from './tables/operations/describe-table.ts'
import { getDefaultView } from './tables/operations/get-default-view.ts'
import { getTable } from './tables/operations/get-table.ts'
import { listActiveIndexes } from './tables/operations/list-active-indexes.ts'
import { listTables } from './tables/operations/list-tables.ts'
import { moveTable } from './tables/operations/move-table.ts'
import { renameTable } from './tables/operations/rename-table.ts'
import { setTableIcon } from './tables/operations/set-table-icon.ts'
import { toggleIndex } from './tables/operations/toggle-index.ts'
import { listTrash } from './trash/operations/list-trash.ts'
import { listTrashItems } from './trash/operations/list-trash-items.ts'
import { purgeTrashEntry } from './trash/operations/purge-trash-entry.ts'
import { resetTrash } from './trash/operations/reset-trash.ts'
import { restoreTrash } from './trash/operations/restore-trash.ts'
import { createFolder } from './tree/operations/create-folder.ts'
import { createNode } from './tree/operations/create-node.ts'
import { deleteFolder } from './tree/operations/delete-folder.ts'
import { deleteNode, deleteNodePermanently } from './tree/operations/delete-node.ts'
import { duplicateNode } from './tree/operations/duplicate-node.ts'
import { getNode } from './tree/operations/get-node.ts'
import { getTree } from './tree/operations/get-tree.ts'
import { listNodes } from './tree/operations/list-nodes.ts'
import { moveNode } from './tree/operations/move-node.ts'
import { renameFolder } from './tree/operations/rename-folder.ts'
import { updateNode } from './tree/operations/update-node.ts'
import { redoChange } from './undo/operations/redo-change.ts'
import { undoChange } from './undo/operations/undo-change.ts'
import type { UseCase } from './use-case.ts'
import { createView } from './views/operations/create-view.ts'
import { deleteView } from './views/operations/delete-view.ts'
import { describeView } from './views/operations/describe-view.ts'
import { duplicateView } from './views/operations/duplicate-view.ts'
import { disableShare, enableShare, refreshShareId } from './views/operations/enable-share.ts'
import { getView } from './views/operations/get-view.ts'
import { listFilterLinkRecords } from './views/operations/list-filter-link-records.ts'
import { listViews } from './views/operations/list-views.ts'
import { lockView } from './views/operations/lock-view.ts'
import { moveRows } from './views/operations/move-rows.ts'
import { moveView } from './views/operations/move-view.ts'
import { renameView } from './views/operations/rename-view.ts'
import { setColumnMeta } from './views/operations/set-column-meta.ts'
import { setShareMeta } from './views/operations/set-share-meta.ts'
import { setViewFilter } from './views/operations/set-view-filter.ts'
import { setViewGroup } from './views/operations/set-view-group.ts'
import { setViewOptions } from './views/operations/set-view-options.ts'
import { setViewSort } from './views/operations/set-view-sort.ts'
import { sortViewManually } from './views/operations/sort-view-manually.ts'
import {
  addAction,
  addLogic,
  duplicateAction,
  setTrigger,
} from './workflows/operations/add-flow-node.ts'
import {
  deleteAction,
  deleteLogic,
  updateAction,
  updateLogic,
  updateTrigger,
} from './workflows/operations/change-flow-node.ts'
import { createWorkflow } from './workflows/operations/create-workflow.ts'
import {
  deleteWorkflow,
  deleteWorkflowPermanently,
} from './workflows/operations/delete-workflow.ts'
import { duplicateWorkflow } from './workflows/operations/duplicate-workflow.ts'
import { generateWebhookToken } from './workflows/operations/generate-webhook-token.ts'
import { getAction, getLogic, getTrigger } from './workflows/operations/get-flow-node.ts'
import { moveWorkflow } from './workflows/operations/move-workflow.ts'
import {
  getActiveSnapshot,
  getWorkflow,
  listWorkflows,
} from './workflows/operations/read-workflow.ts'
import { setWorkflowActive } from './workflows/operations/set-workflow-active.ts'
import { updateWorkflow } from './workflows/operations/update-workflow.ts'

/** Those about people, spaces, bases and what stands in the tree of a base. */
const workspaceUseCases = {
  accounts: {
    signUp,
    sendSignUpCode,
    createInviteCode,
    signIn,
    signOut,
    getMe,
    getUser,
    changeName,
    changePassword,
    listSessions,
    revokeSession,
    acceptInvitation,
  },
  accessTokens: { createToken, listTokens, getToken, updateToken, refreshToken, deleteToken },
  spaces: { createSpace, listSpaces, getSpace, renameSpace, deleteSpace, deleteSpacePermanently },
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
  archives: { exportBase, importBase },
  bases: {
    createBase,
    listBases,
    listAllBases,
    getBase,
    updateBase,
    moveBase,
    deleteBase,
    deleteBasePermanently,
    duplicateBase,
    getBasePermissions,
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
    addBaseCollaborators,
    changeBaseCollaborator,
    removeBaseCollaborator,
    listSpaceInvitations,
    withdrawSpaceInvitation,
    listBaseInvitations,
    withdrawBaseInvitation,
  },
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
    renameTable,
    describeTable,
    setTableIcon,
    moveTable,
    toggleIndex,
    listActiveIndexes,
    deleteTable,
    deleteTablePermanently,
  },
} as const satisfies Record<string, Record<string, UseCase>>

/** Those about what is in a table. */
const tableUseCases = {
  fields: {
    createField,
    listFields,
    getDeleteReferences,
    getField,
    listFieldFilterRecords,
    updateField,
    convertField,
    duplicateField,
    deleteField,
    deleteFields,
    planCreation,
    planConversion,
    planDeletion,
  },
  records: {
    createRecords,
    listRecords,
    getRecord,
    updateRecord,
    updateRecords,
    deleteRecord,
    deleteRecords,
    duplicateRecord,
    getRecordStatus,
    submitForm,
  },
  history: { listRecordHistory, listTableHistory },
  comments: {
    createComment,
    listComments,
    countComments,
    countCommentsOfList,
    getComment,
    updateComment,
    deleteComment,
    reactToComment,
    takeReactionBack,
  },
  undo: { undoChange, redoChange },
  views: {
    createView,
    listViews,
    getView,
    renameView,
    describeView,
    setViewFilter,
    setViewSort,
    sortViewManually,
    moveRows,
    setViewGroup,
    setViewOptions,
    setColumnMeta,
    moveView,
    lockView,
    duplicateView,
    deleteView,
    listFilterLinkRecords,
    setShareMeta,
    enableShare,
    disableShare,
    refreshShareId,
  },
  shares: {
    getSharedView,
    proveSharePassword,
    listSharedRecords,
    countSharedRecords,
    aggregateSharedRecords,
    copySharedCells,
    getSharedGroupPoints,
    countSharedHits,
    findSharedHits,
    getSharedCalendarDays,
    submitSharedForm,
    listSharedLinkRecords,
    listSharedCollaborators,
  },
  aggregations: {
    getRowCount,
    getRecordIndex,
    getGroupPoints,
    getCalendarDays,
    getTaskStatus,
    aggregateRecords,
    getSearchCount,
    getSearchIndex,
  },
  charts: { queryBase, getPanelChart, getDashboardChart },
  exports: { exportTable },
  selections: {
    findSelectedIds,
    copyCells,
    pasteCells,
    previewPaste,
    clearCells,
    deleteSelectedRecords,
  },
  trash: { listTrash, listTrashItems, restoreTrash, purgeTrashEntry, resetTrash },
  attachments: {
    insertAttachment,
    uploadAttachment,
    requestUpload,
    uploadContent,
    finishUpload,
    readAttachment,
  },
  workflows: {
    createWorkflow,
    listWorkflows,
    getWorkflow,
    getActiveSnapshot,
    updateWorkflow,
    setWorkflowActive,
    moveWorkflow,
    duplicateWorkflow,
    deleteWorkflow,
    deleteWorkflowPermanently,
    setTrigger,
    getTrigger,
    updateTrigger,
    generateWebhookToken,
    addAction,
    getAction,
    updateAction,
    deleteAction,
    duplicateAction,
    addLogic,
    getLogic,
    updateLogic,
    deleteLogic,
  },
  imports: { analyzeFile, importTable, importRecords, getImport },
} as const satisfies Record<string, Record<string, UseCase>>

/**
 * Every use case of the product, by feature and name. Each surface is made from this table. Its type names those of its
 * parts, which the compiler could not write down in one.
 */
export const useCases: typeof workspaceUseCases & typeof tableUseCases & typeof pluginUseCases = {
  ...workspaceUseCases,
  ...pluginUseCases,
  ...tableUseCases,
}

/** All use cases, by feature and name. */
export type UseCases = typeof useCases
