import { requireAtOtherEnd } from '../../../links/require-at-other-end.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Field } from '../../field.ts'
import { linkAbilityOf, type PlacedField, symmetricOf } from '../../link-of.ts'
import type { FieldContext, FieldReadContext } from '../field-context.ts'
import { addSymmetricField, toSymmetricField } from '../make-links.ts'
import { moveToTrash } from '../mark-fields-deleted.ts'
import { requireOptionsRoom } from '../options-room.ts'

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
 * caller may not delete or create fields; validation_error when the other table has no room for it.
 */
export async function requireSymmetricChange(
  context: FieldReadContext,
  graph: SchemaGraph,
  { before, after }: { readonly before: Field; readonly after: Field },
): Promise<void> {
  const old = symmetricOf(before)
  const now = symmetricOf(after)
  if (old && old.fieldId === now?.fieldId) return requireRoomToReshape(graph, old, after)
  const gone = old && (await graph.findField(old.tableId, old.fieldId))
  if (gone) {
    const foreign = await graph.get(gone.field.tableId)
    await requireAtOtherEnd(context, context, foreign, 'field|delete')
  }
  await toSymmetricField(context, graph, after)
}

async function requireRoomToReshape(
  graph: SchemaGraph,
  place: PlacedField,
  maker: Field,
): Promise<void> {
  const reshaped = await toReshaped(graph, place, maker)
  if (!reshaped) return
  const { schema } = await graph.get(place.tableId)
  // Where the link's own table shows both ends, the one that is being changed grows there, too.
  requireOptionsRoom(schema, reshaped.before, reshaped.after, 'options', maker)
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

async function reshape(
  { tx, userId, now, ids }: FieldContext,
  graph: SchemaGraph,
  place: PlacedField,
  maker: Field,
): Promise<readonly PlacedField[]> {
  const reshaped = await toReshaped(graph, place, maker)
  if (!reshaped) return []
  const { tableId, fieldId } = place
  const { table } = await graph.get(tableId)
  await tx.fields.update(table, reshaped.before, reshaped.after)
  await graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
  tx.emit({ name: 'field.updated', time: now, userId, payload: { tableId, fieldId } })
  return [place]
}

/**
 * The field at the other end as it is and as the link has it be; undefined where nothing changes. It keeps
 * what is its own: its name, and the field that its titles come from.
 */
async function toReshaped(
  graph: SchemaGraph,
  { tableId, fieldId }: PlacedField,
  maker: Field,
): Promise<{ readonly before: Field; readonly after: Field } | undefined> {
  const before = (await graph.findField(tableId, fieldId))?.field
  const ability = linkAbilityOf(maker)
  if (!before || !ability) return undefined
  const shown = ability.asSymmetric(maker.options, { fieldId: maker.id, tableId: maker.tableId })
  const options = { ...(before.options as object), ...(shown as object) }
  if (JSON.stringify(options) === JSON.stringify(before.options)) return undefined
  return { before, after: { ...before, options } }
}
