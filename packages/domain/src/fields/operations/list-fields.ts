import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { fieldsInOrder, isShown } from '../../views/column-meta.ts'
import { requireView } from '../../views/require-view.ts'
import { fieldOutput, toFieldOutput } from '../field-output.ts'
import { withProgress } from './with-progress.ts'

/** Lists the fields of a table in their order, or as a view has them. */
export const listFields = defineRead({
  summary: 'List fields',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema.optional().describe('A view in whose order the fields are answered'),
    filterHidden: z
      .boolean()
      .optional()
      .describe('Whether fields that the view does not show are left out'),
    projection: z
      .array(idSchema)
      .max(limits.fieldsPerTable)
      .optional()
      .describe('The ids of the fields to answer; ids of none are passed over'),
  }),
  output: z.array(fieldOutput),
  access: onTable('field|read'),
  run: async ({ tx, table }, { viewId, filterHidden, projection }) => {
    let { fields } = await tx.fields.schemaOf(table)
    if (viewId !== undefined) {
      const view = await requireView(tx, { tableId: table.id, viewId })
      fields = fieldsInOrder(view, fields)
      if (filterHidden) fields = fields.filter((field) => isShown(view, field))
    }
    const wanted = projection && new Set(projection)
    const listed = fields.map(({ field }) => field).filter(({ id }) => wanted?.has(id) ?? true)
    return withProgress(tx, table.id, listed.map(toFieldOutput))
  },
})
