import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite, LateAnswer } from '../../use-case.ts'
import { requireView } from '../../views/require-view.ts'
import { fieldKeyType, fieldValuesSchema, writingShape } from '../input/record-input.ts'
import { onWrittenTable } from '../record-guard.ts'
import { recordOutput } from '../showing/record-output.ts'
import { writtenOutputs } from '../showing/written-answer.ts'
import { sendForm } from './send-form.ts'

/** Creates a record of what was filled into a form of the table. */
export const submitForm = defineWrite({
  summary: 'Submit a form',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema.describe('The form'),
    fields: fieldValuesSchema.describe('What was filled in'),
    fieldKeyType: fieldKeyType.default('id'),
    typecast: writingShape.typecast,
  }),
  output: recordOutput,
  access: onWrittenTable('record|create'),
  run: async (context, { viewId, ...sent }) => {
    const { tx, table } = context
    const view = await requireView(tx, { tableId: table.id, viewId })
    if (view.type !== 'form') throw invalidAt(['viewId'], 'must be a form')
    const written = await sendForm(context, view, sent)
    const make = await writtenOutputs(context, written, sent.fieldKeyType)
    return new LateAnswer(async (turns) => {
      const [record] = await make(turns)
      return record as NonNullable<typeof record>
    })
  },
})
