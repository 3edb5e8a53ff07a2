import { z } from 'zod'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { fieldOutput, toFieldOutput } from '../field-output.ts'
import { onField } from './field-guard.ts'
import { withProgress } from './with-progress.ts'

/** Answers one field. */
export const getField = defineRead({
  summary: 'Get a field',
  input: z.object({ tableId: idSchema, fieldId: idSchema }),
  output: fieldOutput,
  access: onField('field|read'),
  run: async ({ tx, field }) => {
    const [view] = await withProgress(tx, field.tableId, [toFieldOutput(field)])
    assert(view, 'one field is answered as one')
    return { ...view, version: field.version }
  },
})
