import type { SchemaGraph } from '../../calculations/schema-graph.ts'
import {
  addSymmetricField,
  linkAbilityOf,
  type PlacedField,
  symmetricOf,
} from '../../links/make-links.ts'
import { requireAtOtherEnd } from '../../links/require-at-other-end.ts'
import type { Field } from '../field.ts'
import { moveToTrash } from '../mark-fields-deleted.ts'
import type { FieldContext, FieldReadContext } from './to-converted-field.ts'

/**
 * Lets the field at the other end of a link follow: it goes when the link does, comes with a new one, and
 * shows the same link in another way when that changed. Returns it, if anything happened to it.
 */
export async function changeSymmetric(
  context: FieldContext,
  graph: SchemaGraph,
  { before, after }: { readonly before: Field; readonly after: Field },
): Promise<readonly PlacedField[]> {
  const old = symmetricOf(before)
  const now = symmetricOf(after)
  if (old && old.fieldId === now?.fieldId) return reshape(context, graph, old, after)
  const gone = old ? await remove(context, graph, old) : []
  if (now) await addSymmetricField(context, graph, after)
  return now ? [...gone, now] : gone
}

/**
 * Throws restricted_resource when the field at the other end would go or come in another base, where the
 * caller may not delete or create fields.
 */
export async function requireSymmetricChange(
  context: FieldReadContext,
  graph: SchemaGraph,
  { before, after }: { readonly before: Field; readonly after: Field },
): Promise<void> {
  const old = symmetricOf(before)
  const now = symmetricOf(after)
  if (old?.fieldId === now?.fieldId) return
  const gone = old && (await graph.findField(old.tableId, old.fieldId))
  if (gone) {
    const foreign = await graph.get(gone.field.tableId)
    await requireAtOtherEnd(context, context, foreign, 'field|delete')
  }
  if (now) await requireAtOtherEnd(context, context, await graph.get(now.tableId), 'field|create')
}

async function remove(
  context: FieldContext,
  graph: SchemaGraph,
  { tableId, fieldId }: PlacedField,
): Promise<readonly PlacedField[]> {
  const { userId, now, ids } = context
  const field = (await graph.findField(tableId, fieldId))?.field
  if (!field) return []
  const deletion = { operationId: ids.next('operation'), time: now, userId }
  await moveToTrash(context, graph, { tableId, fields: [field], deletion })
  return [{ tableId, fieldId }]
}

/** The other end keeps what is its own: its name, and the field that its titles come from. */
async function reshape(
  { tx, userId, now, ids }: FieldContext,
  graph: SchemaGraph,
  { tableId, fieldId }: PlacedField,
  maker: Field,
): Promise<readonly PlacedField[]> {
  const { table } = await graph.get(tableId)
  const field = (await graph.findField(tableId, fieldId))?.field
  const ability = linkAbilityOf(maker)
  if (!field || !ability) return []
  const shown = ability.asSymmetric(maker.options, { fieldId: maker.id, tableId: maker.tableId })
  const options = { ...(field.options as object), ...(shown as object) }
  if (JSON.stringify(options) === JSON.stringify(field.options)) return []
  await tx.fields.update(table, field, { ...field, options })
  await graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
  tx.emit({ name: 'field.updated', time: now, userId, payload: { tableId, fieldId } })
  return [{ tableId, fieldId }]
}
