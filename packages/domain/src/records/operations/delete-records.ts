import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { noOutput } from '../../no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { lockRecords } from '../lock-records.ts'
import { onWrittenTable } from '../record-guard.ts'
import type { RecordsContext } from '../records-context.ts'
import { sizeOfSome } from '../size-within.ts'
import { markRecordsDeleted } from '../writing/mark-records-deleted.ts'

/** Moves records to the table's trash in one operation: all of them, or none when one is not there. */
export const deleteRecords = defineWrite({
  summary: 'Delete records',
  input: z.object({
    tableId: idSchema,
    recordIds: z
      .array(idSchema)
      .min(1)
      .max(limits.recordsPerDelete)
      .describe('The records to delete'),
  }),
  output: noOutput,
  access: onWrittenTable('record|delete'),
  matchesEach: true,
  run: async (context, { recordIds }) => {
    await lockRecords(context, recordIds, [])
    const named = [...new Set(recordIds)]
    await requireRoom(context, named)
    await markRecordsDeleted(context, named)
  },
})

/** A deleted record is kept, and where it is marked as such a storage may write all of it anew. */
async function requireRoom(
  { tx, table }: Pick<RecordsContext, 'tx' | 'table'>,
  recordIds: readonly string[],
): Promise<void> {
  const schema = await tx.fields.schemaOf(table)
  const room = { records: recordIds.length, bytes: limits.bytesPerDelete }
  if (await sizeOfSome(tx, schema, recordIds, room)) return
  const message = `the records take more than ${room.bytes} bytes together: delete fewer at once`
  throw invalidAt(['recordIds'], message)
}
