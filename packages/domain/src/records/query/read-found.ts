import { limits } from '../../limits.ts'
import type { FoundRecord } from '../../queries/record-query.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { RecordBatch } from '../record-batch.ts'
import type { StoredRecord } from '../stored-record.ts'

/** Records that are read by their ids at a time. */
const recordsAtATime = 500

/**
 * The records that were found, in their order, as far as so many characters allow; the first one is always there.
 */
export async function readFound(
  tx: Pick<ReadTx, 'records'>,
  schema: TableSchema,
  found: readonly FoundRecord[],
  length: number = limits.recordsLength,
): Promise<RecordBatch> {
  const records: StoredRecord[] = []
  let size = 0
  let count = recordsAtATime
  for (let start = 0; start < found.length; ) {
    const asked = found.slice(start, start + count).map(({ id }) => id)
    const batch = await tx.records.findAll(schema, asked, 'none')
    const isTooLong = batch.isCut || size + batch.size > length
    if (isTooLong && asked.length > 1) {
      // They come in the order of their ids: what is left out isn't what comes last.
      count = Math.ceil(asked.length / 2)
      continue
    }
    if (isTooLong && start > 0) return { records, size, isCut: true }
    const byId = new Map(batch.records.map((record) => [record.id, record]))
    for (const id of asked) {
      const record = byId.get(id)
      if (record) records.push(record)
    }
    size += batch.size
    start += asked.length
  }
  return { records, size, isCut: false }
}
