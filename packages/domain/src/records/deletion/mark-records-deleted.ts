import { calculate } from '../../calculations/calculate.ts'
import { type Origin, planStages } from '../../calculations/stages/plan-stages.ts'
import { unlinkRecords } from '../../links/unlink-records.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { RecordsContext } from '../reading/records-context.ts'

/**
 * Moves locked records to the table's trash, as one operation, whose id it returns. Records that were linked to them no
 * longer are.
 */
export async function markRecordsDeleted(
  context: RecordsContext,
  recordIds: readonly string[],
): Promise<string> {
  const { tx, table, userId, now, ids } = context
  const graph = new SchemaGraph(tx, 'share')
  const loaded = await graph.put(table)
  const deletion = { operationId: ids.next('operation'), time: now, userId }
  const { operationId } = deletion
  context.undo?.noteTrash({ kind: 'deletion', of: 'record', ids: recordIds, entryId: operationId })
  const lost = await unlinkRecords(tx, graph, loaded, { recordIds, operationId })
  await tx.recordWriter.markDeleted(loaded.schema, recordIds, deletion)
  const what = { resourceType: 'record', resourceIds: recordIds } as const
  await tx.trash.add(deletion, { placeId: table.id, ...what })
  const payload = { tableId: table.id, recordIds }
  tx.emit({ name: 'record.deleted', time: now, userId, payload })
  const origins = lost.map(
    ({ tableId, fieldId }): Origin => ({ tableId, changed: [], dirty: [fieldId] }),
  )
  const stages = await planStages(graph, origins)
  const dirty = new Map(lost.map(({ fieldId, holders }) => [fieldId, holders]))
  await calculate(context, graph, stages, { changed: new Map(), dirty })
  return operationId
}
