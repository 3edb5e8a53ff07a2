import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { requireView } from '../../views/require-view.ts'
import { placesOf } from '../../views/view.ts'
import { fieldOutput, toFieldOutput } from '../field-output.ts'
import { withProgress } from './with-progress.ts'

/** Lists the fields of a table in their order, or in that of a view. */
export const listFields = defineRead({
  summary: 'List fields',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema.optional().describe('A view in whose order the fields are answered'),
    /** Whether fields that the view hides are left out; views hide none yet. */
    filterHidden: z
      .boolean()
      .optional()
      .describe(
        'Whether fields that the view hides are left out; views hide none yet, so it changes nothing',
      ),
    projection: z
      .array(idSchema)
      .max(limits.fieldsPerTable)
      .optional()
      .describe('The ids of the fields to answer; ids of none are passed over'),
  }),
  output: z.array(fieldOutput),
  access: onTable('field|read'),
  run: async ({ tx, table }, { viewId, projection }) => {
    const { fields } = await tx.fields.schemaOf(table)
    let listed = fields.map(({ field }) => field)
    if (viewId !== undefined) {
      const view = await requireView(tx, { tableId: table.id, viewId })
      const fieldIds = listed.map(({ id }) => id)
      const places = placesOf(view, fieldIds)
      const placeOf = (id: string) => places[id]?.order ?? 0
      listed = listed.toSorted((a, b) => placeOf(a.id) - placeOf(b.id))
    }
    if (projection) {
      const wanted = new Set(projection)
      listed = listed.filter(({ id }) => wanted.has(id))
    }
    return withProgress(tx, table.id, listed.map(toFieldOutput))
  },
})
