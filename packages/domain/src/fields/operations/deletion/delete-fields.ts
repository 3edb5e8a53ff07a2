import { z } from 'zod'
import { noOutput } from '../../../answers/no-output.ts'
import { notFound } from '../../../errors.ts'
import { idSchema } from '../../../ids.ts'
import { requireEachMatch } from '../../../input/require-match.ts'
import { limits } from '../../../limits.ts'
import { onTable } from '../../../tables/table-guard.ts'
import { defineWrite } from '../../../use-case.ts'
import { markFieldsDeleted } from './mark-fields-deleted.ts'

/** Moves fields to the table's trash in one operation: all of them, or none when one is not there. */
export const deleteFields = defineWrite({
  summary: 'Delete fields',
  input: z.object({
    tableId: idSchema,
    fieldIds: z.array(idSchema).min(1).max(limits.fieldsPerTable).describe('The fields to delete'),
  }),
  output: noOutput,
  access: onTable('field|delete', 'update'),
  matchesEach: true,
  run: async (context, { fieldIds }) => {
    const { byKey } = await context.tx.fields.schemaOf(context.table)
    const fields = fieldIds.map((id) => {
      const field = byKey.id.get(id)?.field
      if (!field) throw notFound('field', id)
      return field
    })
    requireEachMatch(
      context.ifMatch,
      fields.map(({ version }) => version),
    )
    await markFieldsDeleted(context, [...new Set(fields)])
  },
})
