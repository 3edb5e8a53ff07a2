import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { numbersOf, placeRecords } from '../../records/row-order/place-records.ts'
import { defineWrite } from '../../use-case.ts'
import { onChangedView } from '../view-guard.ts'

/** Moves records before or after another one in the row order of a view, in the sequence in which they are named. */
export const moveRows = defineWrite({
  summary: 'Move records in a view',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    anchorId: idSchema.describe('The record beside which they are put'),
    position: z.enum(['before', 'after']),
    recordIds: z
      .array(idSchema)
      .min(1)
      .max(limits.recordsMoved)
      .refine((ids) => new Set(ids).size === ids.length, 'must name each record once')
      .describe('The records to move, in the sequence that they are to have'),
  }),
  output: noOutput,
  access: onChangedView('view|update'),
  run: async (context, { recordIds, ...anchor }) => {
    const { tx, table, view } = context
    if (recordIds.length > limits.recordsWrittenAtOnce) tx.becomeLong()
    const schema = await tx.fields.schemaOf(table)
    const numbers = await numbersOf(context, schema, recordIds)
    const rows = recordIds.map((id, index) => ({ id, autoNumber: numbers[index] ?? 0 }))
    await placeRecords(context, schema, view, anchor, rows)
  },
})
