import { type LinkEnd, otherEnd } from '../fields/link-end.ts'
import { limits } from '../limits.ts'
import { everyRecord } from '../records/stored/every-record.ts'
import type { LoadedTable, SchemaGraph } from '../schemas/schema-graph.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { WriteTx } from '../store.ts'

/** Records whose cells in a link field lose a link. */
export interface LostLinks {
  readonly tableId: string
  readonly fieldId: string
  readonly holders: readonly string[] | typeof everyRecord
}

/**
 * Takes the links of records away that are being deleted, until the operation is undone. Returns whose
 * cells are to be computed again.
 */
export async function unlinkRecords(
  tx: WriteTx,
  graph: SchemaGraph,
  { table, schema }: LoadedTable,
  deleted: { readonly recordIds: readonly string[]; readonly operationId: string },
): Promise<readonly LostLinks[]> {
  const { recordIds, operationId } = deleted
  const lost: LostLinks[] = []
  const inbounds = await graph.load(schema.inboundTableIds)
  for (const inbound of inbounds) {
    for (const { field, link } of inbound.schema.fields) {
      if (link?.foreignTableId !== table.id) continue
      const most = limits.recordsCalculated
      const found = await tx.links.recordsLinkedTo(link.end, recordIds, most + 1)
      const holders = found.length > most ? everyRecord : found
      if (found.length > 0) lost.push({ tableId: inbound.table.id, fieldId: field.id, holders })
      await tx.links.markDeleted(otherEnd(link.end), recordIds, operationId)
    }
  }
  for (const { link } of schema.fields) {
    if (link) await tx.links.markDeleted(link.end, recordIds, operationId)
  }
  for (const end of await restingLinks(tx, schema, inbounds)) {
    await tx.links.markDeleted(end, recordIds, operationId)
  }
  return lost
}

/** Links that no living field shows, as they are now: those that the schema knows may be gone for good since. */
async function restingLinks(
  tx: WriteTx,
  schema: TableSchema,
  inbounds: readonly LoadedTable[],
): Promise<readonly LinkEnd[]> {
  const { restingLinks: known, inboundTableIds } = schema
  if (known.length === 0 && inbounds.length === inboundTableIds.length) return known
  const ends = await tx.fields.linkEndsOf(schema.tableId)
  return ends.filter(({ isResting, hasPairs }) => isResting && hasPairs).map(({ end }) => end)
}
