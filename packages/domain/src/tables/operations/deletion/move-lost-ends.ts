import type { Field } from '../../../fields/field.ts'
import { linkCapabilityOf, type PlacedField, symmetricOf } from '../../../fields/link-of.ts'
import { renewTargets } from '../../../fields/operations/building/make-links.ts'
import { moveToTrash } from '../../../fields/operations/deletion/mark-fields-deleted.ts'
import type { LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Deletion } from '../../../trash/deletion.ts'
import type { TableContext } from '../../table-context.ts'

/**
 * Moves those link fields to the trash, of tables that are back and of tables that link to them, whose other end was
 * deleted or became something else while their own table lay in the trash: they would have gone with it. One whose
 * other end is in the trash comes back with that, or is purged with it. Returns the fields.
 */
export async function moveLostEnds(
  context: TableContext,
  graph: SchemaGraph,
  back: readonly LoadedTable[],
): Promise<readonly PlacedField[]> {
  const backIds = new Set(back.map(({ table }) => table.id))
  const near = new Set(back.flatMap(({ table, schema }) => [table.id, ...schema.inboundTableIds]))
  const lost: PlacedField[] = []
  for (const { table, schema } of await graph.load([...near].toSorted())) {
    const fields: Field[] = []
    for (const { field } of schema.fields) {
      const end = symmetricOf(field)
      if (!end || !(backIds.has(table.id) || backIds.has(end.tableId))) continue
      const foreign = await graph.find(end.tableId)
      // A link to a table that is gone stays, with an error, until that is back.
      const other = foreign && (foreign.schema.byKey.id.get(end.fieldId)?.field ?? 'gone')
      if (other && !isOtherEnd(field, other)) fields.push(field)
    }
    await moveSome(context, graph, table.id, fields)
    lost.push(...fields.map(({ id }) => ({ tableId: table.id, fieldId: id })))
  }
  return lost
}

/** Whether the other field shows the same link, from its other end. */
function isOtherEnd(field: Field, other: Field | 'gone'): boolean {
  if (other === 'gone') return false
  const [own, there] = [field, other].map((one) => linkCapabilityOf(one)?.endOf(one.options))
  return symmetricOf(other)?.fieldId === field.id && own?.ownerFieldId === there?.ownerFieldId
}

async function moveSome(
  context: TableContext,
  graph: SchemaGraph,
  tableId: string,
  fields: readonly Field[],
): Promise<void> {
  if (fields.length === 0) return
  const { tx, userId, now, ids } = context
  const afresh: Deletion = { operationId: ids.next('operation'), time: now, userId }
  for (const field of fields) {
    const deletion = (await tx.fields.deletionOf(symmetricOf(field)?.fieldId ?? '')) ?? afresh
    await moveToTrash(context, graph, { tableId, fields: [field], deletion })
  }
  await renewTargets(context, graph, tableId, fields)
}
