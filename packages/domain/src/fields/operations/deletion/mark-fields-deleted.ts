import { calculateFields } from '../../../calculations/calculate-fields.ts'
import { requireAtOtherEnd } from '../../../links/require-at-other-end.ts'
import { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Table } from '../../../tables/table.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import type { Deletion } from '../../../trash/deletion.ts'
import type { ReaderState } from '../../../undo/undo-step.ts'
import type { Field } from '../../field.ts'
import { symmetricOf } from '../../link-of.ts'
import { renewTargets } from '../building/make-links.ts'
import { toReaderStates } from '../derivation/reader-states.ts'
import { Rederivation } from '../derivation/rederivation.ts'
import { requireConverted, requireCopied } from '../require-converted.ts'
import { requireNoPrimary } from './require-no-primary.ts'

/** What fields lie in the trash by, and those that are others now because of that. */
interface MarkedFields {
  readonly operationId: string
  readonly readers: readonly ReaderState[]
}

/**
 * Moves fields of a table that is held to its trash, with their values, as one operation; a link's field at the other end
 * goes along. Fields that read them have errors from then on.
 */
export async function markFieldsDeleted(
  context: TableContext & { readonly table: Table },
  fields: readonly Field[],
): Promise<MarkedFields> {
  const { tx, table, userId, now, ids } = context
  requireNoPrimary(fields)
  const graph = new SchemaGraph(tx, 'update')
  await graph.put(table)
  const doomed = await withSymmetric(context, graph, fields)
  const gone = [...doomed.values()].flat()
  requireConverted(gone, 'delete it')
  await requireCopied(tx, gone, 'delete it')
  const deletion = { operationId: ids.next('operation'), time: now, userId }
  for (const [tableId, ofTable] of doomed) {
    await moveToTrash(context, graph, { tableId, fields: ofTable, deletion })
  }
  const resourceIds = fields.map(({ id }) => id)
  const { operationId } = deletion
  await tx.trash.add(deletion, { placeId: table.id, resourceType: 'field', resourceIds })
  const rederivation = new Rederivation(context, graph)
  await rederivation.deriveReaders(gone.map(({ tableId, id }) => ({ tableId, fieldId: id })))
  const dirty = await rederivation.store()
  const readers = toReaderStates(rederivation.changes)
  const noted = { ids: resourceIds, entryId: operationId, readers }
  context.undo?.noteTrash({ kind: 'deletion', of: 'field', ...noted })
  for (const [tableId, ofTable] of doomed) await renewTargets(context, graph, tableId, ofTable)
  await calculateFields(context, graph, dirty)
  return { operationId, readers }
}

/** Fields of one table that are being deleted. */
interface FieldDeletion {
  readonly tableId: string
  readonly fields: readonly Field[]
  readonly deletion: Deletion
}

/** Marks fields of a table as deleted; the background leaves them alone from then on. */
export async function moveToTrash(
  { tx, userId, now, ids }: TableContext,
  graph: SchemaGraph,
  { tableId, fields, deletion }: FieldDeletion,
): Promise<void> {
  const { table } = await graph.get(tableId)
  await tx.fields.markDeleted(table, fields, deletion)
  await tx.calculations.remove(fields.map(({ id }) => id))
  await graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
  for (const { id } of fields) {
    const payload = { tableId, fieldId: id }
    tx.emit({ name: 'field.deleted', time: now, userId, payload })
  }
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
    const end = symmetricOf(field)
    const symmetric = end && (await graph.findField(end.tableId, end.fieldId))?.field
    if (!symmetric) continue
    const known = doomed.get(end.tableId) ?? []
    if (known.some(({ id }) => id === symmetric.id)) continue
    await requireAtOtherEnd(context, context, await graph.get(end.tableId), 'field|delete')
    doomed.set(end.tableId, [...known, symmetric])
  }
  return doomed
}
