import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { limits } from '../../limits.ts'
import { removeRecords } from '../../records/deletion/remove-records.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { findShownTable, selectedColumns, selectedRecords } from '../find-selection.ts'
import { selectionShape } from '../selection-shape.ts'

/** Moves the records of ranges of what a view shows to the trash, as one operation: all of them or none. */
export const deleteSelectedRecords = defineWrite({
  summary: 'Delete selected records',
  input: z.object(selectionShape),
  output: z.object({ ids: z.array(z.string()).describe('The records that were deleted') }),
  // Held alone, so that what is deleted is what is found.
  access: showing(onTable('record|delete', 'update'), 'record|read'),
  matchesEach: true,
  run: async (context, input) => {
    const shown = await findShownTable(context, input)
    selectedColumns(shown)
    const ids = await selectedRecords(context.tx, shown, limits.selectedRowsDeleted)
    if (ids.length > 0) await removeRecords(context, ids, ['ranges'])
    return { ids: [...ids] }
  },
})
