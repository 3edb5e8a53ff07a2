import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite, LateAnswer } from '../../use-case.ts'
import { fieldValuesSchema, writingShape } from '../input/record-input.ts'
import { onWrittenTable } from '../record-guard.ts'
import { holdRowView } from '../row-order/hold-row-view.ts'
import { placeWritten } from '../row-order/place-records.ts'
import { recordOutput } from '../showing/record-output.ts'
import { WrittenAnswer } from '../showing/written-answer.ts'
import { creation } from '../writing/creation.ts'
import type { RowOptions } from '../writing/record-write.ts'
import { writeRecords } from '../writing/write-records.ts'

/** Creates records: all of them, in their order, or none. */
export const createRecords = defineWrite({
  summary: 'Create records',
  input: z.object({
    tableId: idSchema,
    records: z
      .array(z.object({ fields: fieldValuesSchema }))
      .min(1)
      .max(limits.recordsPerMutation),
    ...writingShape,
  }),
  output: z.object({ records: z.array(recordOutput) }),
  access: onWrittenTable('record|create'),
  endsAtLength: true,
  run: async (context, { records: sent, fieldKeyType, typecast, order }) => {
    const answer = new WrittenAnswer(context, fieldKeyType)
    const options: RowOptions = {
      ...{ fieldKeyType, typecast, pathOf: (row: number) => ['records', row] },
      onComputed: (schema, records) => answer.expect(schema, records),
      isLast: () => !order && !context.keepsAnswer && answer.isReady,
    }
    const view = await holdRowView(context, order)
    const written = await writeRecords(context, creation, sent, options)
    await placeWritten(context, view, order, written)
    const make = await answer.of(written)
    return new LateAnswer(async (turns) => ({ records: await make(turns) }))
  },
})
