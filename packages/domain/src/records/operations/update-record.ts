import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { fieldValuesSchema, writingShape } from '../input/record-input.ts'
import { onRecord } from '../record-guard.ts'
import { recordOutput } from '../showing/record-output.ts'
import { toWrittenOutput } from '../showing/written-answer.ts'
import { Change } from '../writing/change.ts'
import { holdRowView } from '../writing/hold-row-view.ts'
import { placeWritten } from '../writing/place-records.ts'
import { writeRecords } from '../writing/write-records.ts'

/** Changes the listed cells of one record; null empties a cell. */
export const updateRecord = defineWrite({
  summary: 'Update a record',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    record: z.object({ fields: fieldValuesSchema }),
    ...writingShape,
  }),
  output: recordOutput,
  access: onRecord('record|update', 'update'),
  run: async (context, { record: sent, fieldKeyType, typecast, order }) => {
    const view = await holdRowView(context, order)
    const options = { fieldKeyType, typecast, pathOf: () => ['record'] }
    const written = await writeRecords(context, new Change([context.record]), [sent], options)
    await placeWritten(context, view, order, written)
    return toWrittenOutput(context, written, fieldKeyType)
  },
})
