import { z } from 'zod'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onRecord } from '../record-guard.ts'
import { fieldValuesSchema, writingShape } from '../record-input.ts'
import { recordOutput, toWrittenOutputs } from '../record-output.ts'
import { changeRecords } from '../writing/change-records.ts'

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
  run: async (context, { record: sent, fieldKeyType, typecast }) => {
    const reading = { fieldKeyType, typecast, pathOf: () => ['record'] }
    const { records, views } = await changeRecords(context, [context.record], [sent], reading)
    const [view] = toWrittenOutputs(context.actor, views)
    const [record] = records
    assert(view && record, 'one record is answered as one')
    return { ...view, version: record.version }
  },
})
