import type { RecordsContext } from './records-context.ts'

/** Moves records that are held to the table's trash, as one operation. */
export async function markRecordsDeleted(
  { tx, table, userId, now, ids }: RecordsContext,
  recordIds: readonly string[],
): Promise<void> {
  const schema = await tx.fields.schemaOf(table)
  const deletion = { operationId: ids.next('operation'), time: now, userId }
  await tx.records.markDeleted(schema, recordIds, deletion)
  const payload = { tableId: table.id, recordIds }
  tx.emit({ name: 'record.deleted', time: now, userId, payload })
}
