import { calculateFields } from '../calculations/calculate-fields.ts'
import { SchemaGraph } from '../calculations/schema-graph.ts'
import { linkAbilityOf, renewTargets } from '../links/make-links.ts'
import type { Table } from '../tables/table.ts'
import type { TableContext } from '../tables/table-context.ts'
import { rederive } from './derivation/rederive.ts'
import type { Field } from './field.ts'
import { requireFieldDeletion, requireNoPrimary } from './require-field-deletion.ts'

/**
 * Moves fields of a table that is held to its trash, with their values, as one operation; a link's field
 * at the other end goes along. Fields that read them have errors from then on.
 */
export async function markFieldsDeleted(
  context: TableContext & { readonly table: Table },
  fields: readonly Field[],
): Promise<void> {
  const { tx, table, userId, now, ids } = context
  requireNoPrimary(fields)
  const graph = new SchemaGraph(tx, 'update')
  await graph.put(table)
  const doomed = await withSymmetric(context, graph, fields)
  const deletion = { operationId: ids.next('operation'), time: now, userId }
  for (const [tableId, ofTable] of doomed) {
    const place = await graph.get(tableId)
    await tx.fields.markDeleted(place.table, ofTable, deletion)
    await graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
    for (const { id } of ofTable) {
      const payload = { tableId, fieldId: id }
      tx.emit({ name: 'field.deleted', time: now, userId, payload })
    }
  }
  const gone = [...doomed].flatMap(([tableId, ofTable]) =>
    ofTable.map(({ id }) => ({ tableId, fieldId: id })),
  )
  await tx.calculations.remove(gone.map(({ fieldId }) => fieldId))
  const dirty = await rederive(context, graph, gone)
  for (const [tableId, ofTable] of doomed) await renewTargets(context, graph, tableId, ofTable)
  await calculateFields(context, graph, dirty)
}

/** The fields by table, each link with its field at the other end. */
async function withSymmetric(
  context: TableContext & { readonly table: Table },
  graph: SchemaGraph,
  fields: readonly Field[],
): Promise<ReadonlyMap<string, readonly Field[]>> {
  const { table } = context
  const doomed = new Map<string, Field[]>([[table.id, [...fields]]])
  for (const field of fields) {
    const target = linkAbilityOf(field)?.targetOf(field.options)
    if (target?.symmetricFieldId === undefined) continue
    const { foreignTableId, symmetricFieldId } = target
    const symmetric = (await graph.findField(foreignTableId, symmetricFieldId))?.field
    const known = doomed.get(foreignTableId) ?? []
    if (!symmetric || known.some(({ id }) => id === symmetric.id)) continue
    await requireFieldDeletion(context, graph, foreignTableId)
    doomed.set(foreignTableId, [...known, symmetric])
  }
  return doomed
}
