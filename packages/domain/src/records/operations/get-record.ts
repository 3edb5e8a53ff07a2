import { z } from 'zod'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { readingShape } from '../input/record-input.ts'
import { onRecord } from '../record-guard.ts'
import { recordOutput, toRecordOutputs } from '../showing/record-output.ts'

/** Answers one record. */
export const getRecord = defineRead({
  summary: 'Get a record',
  input: z.object({ tableId: idSchema, recordId: idSchema, ...readingShape }),
  output: recordOutput,
  access: onRecord('record|read'),
  needsNoSnapshot: true,
  run: async (
    { tx, actor, publicUrl, fileUrls, schema, record },
    { fieldKeyType, cellFormat, projection },
  ) => {
    const shape = {
      fieldKeyType,
      cellFormat,
      projection: projection && new Set(projection),
      actor,
      publicUrl,
      fileUrls,
    }
    const [view] = await toRecordOutputs(tx, schema, [record], shape)
    assert(view, 'one record is answered as one')
    return { ...view, version: record.version }
  },
})
