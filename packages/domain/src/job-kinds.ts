import { noteUsedFiles } from './attachments/operations/note-used-files.ts'
import { removeUnusedFiles } from './attachments/unused/remove-unused-files.ts'
import { dropUnfinishedBase } from './bases/operations/deletion/drop-unfinished-base.ts'
import { purgeBase, purgeSpace } from './bases/operations/deletion/purge-base.ts'
import { calculatePending } from './calculations/jobs/calculate-pending.ts'
import { showNewName } from './calculations/jobs/show-new-name.ts'
import { emptyColumns } from './fields/operations/columns/empty-columns.ts'
import { findWornTables, rebuildTable } from './fields/operations/columns/rebuild-table.ts'
import { releaseExpired } from './fields/operations/columns/release-expired.ts'
import { forgetFields } from './history/forget-fields.ts'
import { removeHistory, trimHistory } from './history/history-jobs.ts'
import { importRows } from './imports/jobs/import-rows.ts'
import { keepIndexes } from './indexes/keep-indexes.ts'
import { settleIndex } from './indexes/settle-index.ts'
import type { JobKind } from './jobs/job-kind.ts'
import { purgeExpired } from './jobs/purge-expired.ts'
import { signRecords } from './signatures/sign-records.ts'
import { discardOldTrash, purgeTrash } from './trash/operations/purge-trash.ts'
import { removeRowOrder } from './views/row-order-jobs.ts'

/** All kinds of background work, by name. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map(
  [
    purgeExpired,
    calculatePending,
    showNewName,
    emptyColumns,
    findWornTables,
    rebuildTable,
    releaseExpired,
    importRows,
    purgeBase,
    purgeSpace,
    dropUnfinishedBase,
    purgeTrash,
    discardOldTrash,
    removeUnusedFiles,
    noteUsedFiles,
    removeRowOrder,
    trimHistory,
    removeHistory,
    forgetFields,
    keepIndexes,
    settleIndex,
    signRecords,
  ].map((kind) => [kind.name, kind]),
)
