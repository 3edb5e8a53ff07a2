import { z } from 'zod'
import { limits } from '../../limits.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { findShownTable, selectedColumns, selectedRecords } from '../find-selection.ts'
import { selectionShape } from '../selection-shape.ts'

/** Tells which records and fields ranges of what a view shows are, in the order in which they are shown. */
export const findSelectedIds = defineRead({
  summary: 'Find what is selected',
  input: z.object({
    ...selectionShape,
    returnType: z.enum(['recordId', 'fieldId', 'all']).describe('What to answer'),
  }),
  output: z.object({
    recordIds: z.array(z.string()).optional().describe('The ids of the records'),
    fieldIds: z.array(z.string()).optional().describe('The ids of the fields'),
  }),
  access: onTable('record|read'),
  run: async (context, { returnType, ...input }) => {
    const shown = await findShownTable(context, input)
    const fieldIds = selectedColumns(shown).map(({ field }) => field.id)
    if (returnType === 'fieldId') return { fieldIds }
    const recordIds = [...(await selectedRecords(context.tx, shown, limits.selectedRows))]
    return returnType === 'all' ? { recordIds, fieldIds } : { recordIds }
  },
})
