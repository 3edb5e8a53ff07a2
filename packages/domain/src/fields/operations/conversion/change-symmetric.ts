import { DomainError } from '../../../errors.ts'
import { requireAtOtherEnd } from '../../../links/require-at-other-end.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Field } from '../../field.ts'
import { linkCapabilityOf, type PlacedField, symmetricOf } from '../../link-of.ts'
import { addSymmetricField, toSymmetricField } from '../building/make-links.ts'
import { requireOptionsRoom } from '../definition/options-room.ts'
import { moveToTrash } from '../deletion/mark-fields-deleted.ts'
import { restoreIn } from '../deletion/restore-fields.ts'
import type { FieldContext, FieldReadContext } from '../field-context.ts'

/** Whether a field at the other end of a link that comes is a new one, or was there before and lies in the trash. */
type ComingEnd = 'new' | 'kept'

/**
 * Lets the field at the other end of a link follow: it goes when the link does, comes with a new one, and
 * shows the same link in another way when that changed. Returns it, if anything happened to it. Throws as `restoreIn`
 * does for one that was there before, and conflict where that is gone for good.
 */
export async function changeSymmetric(
  context: FieldContext,
  graph: SchemaGraph,
  { before, after }: { readonly before: Field; readonly after: Field },
  coming: ComingEnd = 'new',
): Promise<readonly PlacedField[]> {
  const old = symmetricOf(before)
  const now = symmetricOf(after)
  if (old && old.fieldId === now?.fieldId) return reshape(context, graph, old, after)
  const gone = old ? await remove(context, graph, old) : []
  if (!now) return gone
  if (coming === 'new') await addSymmetricField(context, graph, after)
  else await bringBack(context, graph, now)
  return [...gone, now]
}

/**
 * Throws restricted_resource when the field at the other end would go or come in another base, where the
 * caller may not delete or create fields; validation_error when the other table has no room for it.
 */
export async function requireSymmetricChange(
  context: FieldReadContext,
  graph: SchemaGraph,
  { before, after }: { readonly before: Field; readonly after: Field },
  coming: ComingEnd = 'new',
): Promise<void> {
  const old = symmetricOf(before)
  const now = symmetricOf(after)
  if (old && old.fieldId === now?.fieldId) return requireRoomToReshape(graph, old, after)
  const gone = old && (await graph.findField(old.tableId, old.fieldId))
  if (gone) {
    const foreign = await graph.get(gone.field.tableId)
    await requireAtOtherEnd(context, context, foreign, 'field|delete')
  }
  if (coming === 'new') {
    await toSymmetricField(context, graph, after)
    return
  }
  const foreign = now && (await graph.find(now.tableId))
  if (foreign) await requireAtOtherEnd(context, context, foreign, 'field|create')
}

async function requireRoomToReshape(
  graph: SchemaGraph,
  place: PlacedField,
  owner: Field,
): Promise<void> {
  const reshaped = await toReshaped(graph, place, owner)
  if (!reshaped) return
  const { schema } = await graph.get(place.tableId)
  // Where the link's own table shows both ends, the one that is being changed grows there, too.
  requireOptionsRoom(schema, reshaped.before, reshaped.after, 'options', owner)
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

/** Takes a field that went with its link out of the trash, under its own name; nothing where its table lies there. */
async function bringBack(
  context: FieldContext,
  graph: SchemaGraph,
  { tableId, fieldId }: PlacedField,
): Promise<void> {
  const foreign = await graph.find(tableId)
  if (!foreign) return
  const { tx } = context
  const { operationId = '' } = (await tx.fields.deletionOf(fieldId)) ?? {}
  const deleted = await tx.fields.deletedOf(tableId, operationId)
  const field = deleted.find(({ id }) => id === fieldId)
  if (!field) {
    throw new DomainError('conflict', 'The field at the other end of the link is gone for good')
  }
  const { byKey } = foreign.schema
  if (byKey.name.has(field.name) || byKey.dbFieldName.has(field.dbFieldName)) {
    const message = `The name of the field at the other end of the link, "${field.name}", is taken by now`
    throw new DomainError('conflict', message)
  }
  await restoreIn(context, graph, { tableId, fields: [field], under: 'own names' })
}

async function reshape(
  { tx, userId, now, ids }: FieldContext,
  graph: SchemaGraph,
  place: PlacedField,
  owner: Field,
): Promise<readonly PlacedField[]> {
  const reshaped = await toReshaped(graph, place, owner)
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
  owner: Field,
): Promise<{ readonly before: Field; readonly after: Field } | undefined> {
  const before = (await graph.findField(tableId, fieldId))?.field
  const capability = linkCapabilityOf(owner)
  if (!before || !capability) return undefined
  const shown = capability.asSymmetric(owner.options, { fieldId: owner.id, tableId: owner.tableId })
  const options = { ...(before.options as object), ...(shown as object) }
  if (JSON.stringify(options) === JSON.stringify(before.options)) return undefined
  return { before, after: { ...before, options } }
}
