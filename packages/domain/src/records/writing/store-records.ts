import { noteHistory } from '../../history/note-history.ts'
import type { ComputedRecords, RecordWrite } from './record-write.ts'

/** Stores the records, and has listeners told of them once that is durable. Returns them with their numbers. */
export async function storeRecords(
  write: RecordWrite,
  computed: ComputedRecords,
): Promise<ComputedRecords> {
  const { context, strategy } = write
  const { tx, table, now: time, userId } = context
  const records = await strategy.store(write, computed)
  if (records.length > 0) {
    await noteHistory(context, computed.loaded.schema, computed.before, records)
    const payload = { tableId: table.id, recordIds: records.map(({ id }) => id) }
    tx.emit({ name: strategy.event, time, userId, payload })
  }
  return { ...computed, records }
}
