import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineWrite, LateAnswer } from '../../use-case.ts'
import { fieldValuesSchema, writingShape } from '../input/record-input.ts'
import { onRecord } from '../record-guard.ts'
import { holdRowView } from '../row-order/hold-row-view.ts'
import { placeWritten } from '../row-order/place-records.ts'
import { recordOutput } from '../showing/record-output.ts'
import { WrittenAnswer } from '../showing/written-answer.ts'
import { Change } from '../writing/change.ts'
import type { RowOptions } from '../writing/record-write.ts'
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
    const answer = new WrittenAnswer(context, fieldKeyType)
    const options: RowOptions = {
      ...{ fieldKeyType, typecast, pathOf: () => ['record'] },
      onComputed: (schema, records) => answer.expect(schema, records),
      isLast: () => !order && !context.keepsAnswer && answer.isReady,
    }
    const view = await holdRowView(context, order)
    const written = await writeRecords(context, new Change([context.record]), [sent], options)
    await placeWritten(context, view, order, written)
    return new LateAnswer(await answer.ofOne(written))
  },
})
