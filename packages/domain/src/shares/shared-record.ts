import { z } from 'zod'
import type { RecordOutput } from '../records/showing/record-output.ts'

/** A record as visitors of a share see it. */
export const sharedRecordOutput = z
  .object({
    id: z.string().describe('The id of the record'),
    fields: z
      .record(z.string(), z.unknown())
      .describe('The cells that are shown and not empty, by the key of their field'),
    name: z.string().optional().describe('The text of the primary field, where that is shown'),
  })
  .meta({ id: 'SharedRecord' })

/** A record as visitors of a share see it. */
export type SharedRecordOutput = z.output<typeof sharedRecordOutput>

/**
 * What visitors see of a record: no number, which would tell of records that aren't shown, nor when and by whom it was
 * made and changed, which would tell of cells that aren't.
 */
export function toSharedRecord({ id, name, fields }: RecordOutput): SharedRecordOutput {
  return { id, fields, ...(name !== undefined && { name }) }
}
