import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite, LateAnswer } from '../../use-case.ts'
import { fieldValuesSchema, writingShape } from '../input/record-input.ts'
import { areManyRecords } from '../reading/are-many-records.ts'
import { lockRecords } from '../reading/lock-records.ts'
import { onWrittenTable } from '../record-guard.ts'
import { holdRowView } from '../row-order/hold-row-view.ts'
import { placeWritten } from '../row-order/place-records.ts'
import { recordOutput } from '../showing/record-output.ts'
import { writtenOutputs } from '../showing/written-answer.ts'
import { Change } from '../writing/change.ts'
import { writeRecords } from '../writing/write-records.ts'

/** Changes the listed cells of each of the records, of all of them or of none. */
export const updateRecords = defineWrite({
  summary: 'Update records',
  input: z.object({
    tableId: idSchema,
    records: z
      .array(z.object({ id: idSchema, fields: fieldValuesSchema }))
      .min(1)
      .max(limits.recordsPerMutation)
      .superRefine((records, context) => {
        const index = findRepeated(records.map(({ id }) => id))
        const message = 'must differ from that of every other record of the request'
        if (index !== -1) context.addIssue({ code: 'custom', path: [index, 'id'], message })
      }),
    ...writingShape,
  }),
  output: z.array(recordOutput),
  access: onWrittenTable('record|update'),
  matchesEach: true,
  endsAtLength: true,
  run: async (context, { records: sent, fieldKeyType, typecast, order }) => {
    if (areManyRecords(sent)) context.tx.becomeLong()
    const view = await holdRowView(context, order)
    const recordIds = sent.map(({ id }) => id)
    const change = new Change(await lockRecords(context, recordIds))
    const options = { fieldKeyType, typecast, pathOf: (row: number) => ['records', row] }
    const written = await writeRecords(context, change, sent, options)
    await placeWritten(context, view, order, written)
    return new LateAnswer(await writtenOutputs(context, written, fieldKeyType))
  },
})

/** The place of the first id that stands for a second time; -1 when all differ. */
function findRepeated(ids: readonly string[]): number {
  const seen = new Set<string>()
  return ids.findIndex((id) => seen.size === seen.add(id).size)
}
