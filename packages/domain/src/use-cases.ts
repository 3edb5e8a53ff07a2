import { aggregateRecords } from './aggregations/operations/aggregate-records.ts'
import { getCalendarDays } from './aggregations/operations/get-calendar-days.ts'
import { getGroupPoints } from './aggregations/operations/get-group-points.ts'
import { getRecordIndex } from './aggregations/operations/get-record-index.ts'
import { getRowCount } from './aggregations/operations/get-row-count.ts'
import { getSearchCount } from './aggregations/operations/get-search-count.ts'
import { getSearchIndex } from './aggregations/operations/get-search-index.ts'
import { getTaskStatus } from './aggregations/operations/get-task-status.ts'
import { finishUpload } from './attachments/operations/finish-upload.ts'
import { insertAttachment } from './attachments/operations/insert-attachment.ts'
import { readAttachment } from './attachments/operations/read-attachment.ts'
import { requestUpload } from './attachments/operations/request-upload.ts'
import { uploadAttachment } from './attachments/operations/upload-attachment.ts'
import { uploadContent } from './attachments/operations/upload-content.ts'
import { pluginUseCases } from './calls/plugin-use-cases.ts'
import { workspaceUseCases } from './calls/workspace-use-cases.ts'
import { getDashboardChart, getPanelChart } from './charts/operations/get-chart.ts'
import { queryBase } from './charts/operations/query-base.ts'
import { countComments, countCommentsOfList } from './comments/operations/count-comments.ts'
import { createComment } from './comments/operations/create-comment.ts'
import { deleteComment } from './comments/operations/delete-comment.ts'
import { getComment } from './comments/operations/get-comment.ts'
import { listComments } from './comments/operations/list-comments.ts'
import { reactToComment, takeReactionBack } from './comments/operations/react-to-comment.ts'
import { updateComment } from './comments/operations/update-comment.ts'
import { exportTable } from './exports/operations/export-table.ts'
import { convertField } from './fields/operations/conversion/convert-field.ts'
import { createField } from './fields/operations/create-field.ts'
import { deleteField } from './fields/operations/deletion/delete-field.ts'
import { deleteFields } from './fields/operations/deletion/delete-fields.ts'
import { getDeleteReferences } from './fields/operations/deletion/get-delete-references.ts'
import { duplicateField } from './fields/operations/duplicate-field.ts'
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
import { createRecords } from './records/operations/create-records.ts'
import { deleteRecord } from './records/operations/delete-record.ts'
import { deleteRecords } from './records/operations/delete-records.ts'
import { duplicateRecord } from './records/operations/duplicate-record.ts'
import { getRecord } from './records/operations/get-record.ts'
import { getRecordStatus } from './records/operations/get-record-status.ts'
import { listNamedPeople } from './records/operations/list-named-people.ts'
import { listRecords } from './records/operations/list-records.ts'
import { pressButton, resetButton } from './records/operations/press-button.ts'
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
import { listTrash } from './trash/operations/list-trash.ts'
import { listTrashItems } from './trash/operations/list-trash-items.ts'
import { purgeTrashEntry } from './trash/operations/purge-trash-entry.ts'
import { resetTrash } from './trash/operations/reset-trash.ts'
import { restoreTrash } from './trash/operations/restore-trash.ts'
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
    listNamedPeople,
    getRecord,
    updateRecord,
    updateRecords,
    deleteRecord,
    deleteRecords,
    duplicateRecord,
    getRecordStatus,
    submitForm,
    pressButton,
    resetButton,
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
