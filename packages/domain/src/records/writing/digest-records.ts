import { notedFields } from '../../history/to-cell-change.ts'
import { withLinks } from '../../links/linked-cells.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { ContentDigest } from '../../undo/content-digest.ts'
import { filledCells } from '../filled-cells.ts'
import { findRecords } from '../scan-records.ts'

/** A digest of all that callers have written into those of the records that there are, in whatever order they are named. */
export async function digestRecords(
  tx: Pick<ReadTx, 'records' | 'links' | 'giveWay'>,
  schema: TableSchema,
  recordIds: readonly string[],
): Promise<string> {
  const fields = notedFields(schema)
  const columns = fields.map(({ column }) => column)
  const digest = new ContentDigest()
  for await (const { records } of findRecords(tx, schema, recordIds, 'none', columns)) {
    for (const record of await withLinks(tx, fields, records)) {
      digest.add([record.id, filledCells(fields, record)])
    }
    await tx.giveWay()
  }
  return digest.end()
}
