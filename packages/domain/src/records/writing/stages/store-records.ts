import { noteHistory } from '../../../history/note-history.ts'
import { noteUndo } from '../../undo/note-undo.ts'
import type { ComputedRecords, RecordWrite } from '../record-write.ts'
import { isFollowed } from './follow-write.ts'

/** Stores the records, and has listeners told of them once that is durable. Returns them with their numbers. */
export async function storeRecords(
  write: RecordWrite,
  computed: ComputedRecords,
): Promise<ComputedRecords> {
  const { context, strategy } = write
  const { tx, table, now: time, userId } = context
  const records = await strategy.store(write, computed, isLast(write, computed))
  if (records.length > 0) {
    const { loaded, before } = computed
    await noteHistory(context, loaded.schema, before, records)
    if (context.undo) await noteUndo(context, loaded.schema, before, records)
    const payload = { tableId: table.id, recordIds: records.map(({ id }) => id) }
    tx.emit({ name: strategy.event, time, userId, payload })
  }
  return { ...computed, records }
}

/** Whether the transaction does nothing after storing the record. */
function isLast({ context, options }: RecordWrite, computed: ComputedRecords): boolean {
  if (computed.records.length !== 1 || context.undo || context.keepsHistory) return false
  return !isFollowed(computed) && (options.isLast?.() ?? false)
}
