import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { calculateFields } from '../../calculations/calculate-fields.ts'
import { assert, invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { findOverlinkedIn, requireCopyableLinks, tooManyLinks } from '../../links/link-room.ts'
import { hasManyRecords } from '../../records/reading/has-many-records.ts'
import type { SizedRange } from '../../records/reading/record-size-reader.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../../views/change-view.ts'
import { placesWith } from '../../views/column-meta.ts'
import { roomFor } from '../computed/cell-room.ts'
import type { Field } from '../field.ts'
import { fieldOutput, toFieldOutput } from '../field-output.ts'
import { isComputed, typeOf } from '../field-values.ts'
import { asOwners, linkCapabilityOf } from '../link-of.ts'
import { makeLinks } from './building/make-links.ts'
import { noteAddedFields } from './building/note-added-fields.ts'
import { scheduleCopy } from './columns/copy-pending.ts'
import { buildFields, onlyDefinition, requireColumnRoom } from './definition/build-fields.ts'
import { fieldNameSchema } from './definition/field-definition.ts'
import { takenNamesIn } from './definition/field-namer.ts'
import { viewOfPlace } from './definition/field-place.ts'
import { requireOptionsRoomForNew } from './definition/options-room.ts'
import { deriveNewFields } from './derivation/derive-new-fields.ts'
import { anyTable } from './derivation/field-sources.ts'
import type { FieldContext } from './field-context.ts'
import { onField } from './field-guard.ts'
import { requireConverted } from './require-converted.ts'
import { WholeWrite } from './whole-write.ts'

/**
 * Adds a field like another one, with its values. A copy of a link is a link of its own, that only this
 * table shows.
 */
export const duplicateField = defineWrite({
  summary: 'Duplicate a field',
  input: z.object({
    tableId: idSchema,
    fieldId: idSchema,
    name: fieldNameSchema.optional(),
    viewId: idSchema.optional(),
  }),
  output: fieldOutput,
  access: showing(onField('field|create', 'update'), 'field|read'),
  run: async (context, { tableId, name, viewId }) => {
    const { tx, table, schema, field: original, userId, now, ids } = context
    requireConverted([original], 'duplicate it')
    if (await hasManyRecords(tx, schema)) tx.becomeLong()
    const graph = new SchemaGraph(tx, 'update')
    await graph.put(table)
    const view = viewId === undefined ? undefined : await viewOfPlace(context, viewId, ['viewId'])
    const made = await toCopy(context, graph, name)
    const copied = await valuesToCopy(context, made)
    // A link is computed from its pairs instead.
    const copy = { ...made, isPending: copied === 'later' && !linkCapabilityOf(made) }
    const existing = schema.fields.map(({ field }) => field)
    requireOptionsRoomForNew(existing, [copy], () => [])
    await tx.fields.insert(table, copy)
    const place = await graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
    await makeLinks(context, graph, tableId, [copy])
    const from = schema.byKey.id.get(original.id)
    const to = place.schema.byKey.id.get(copy.id)
    const [end, madeEnd] = [from?.link?.end, to?.link?.end]
    if (end && madeEnd) {
      requireCopyableLinks(await tx.links.total(end))
      await tx.links.copy(end, madeEnd)
      if ((await findOverlinkedIn(tx, place.schema, madeEnd)) !== undefined) {
        throw invalidAt([], tooManyLinks())
      }
    }
    if (copied !== 'later' && from?.column && to?.column) {
      for (const range of copied) {
        await tx.columns.copy(place.schema, from.column, to.column, range)
        await tx.giveWay()
      }
    }
    if (copy.notNull) await tx.fields.requireValues(place.table, copy)
    const payload = { tableId, fieldId: copy.id }
    tx.emit({ name: 'field.created', time: now, userId, payload })
    if (view) {
      const fieldIds = schema.fields.map(({ field }) => field.id)
      const places = placesWith(view, fieldIds, { id: copy.id, afterId: original.id })
      await changeView(context, view, { columnMeta: { ...view.columnMeta, ...places } })
    }
    const noteId = context.undo && copy.isPending ? ids.next('operation') : undefined
    if (copy.isPending) await scheduleCopy(context, copy, noteId)
    // The cells of a link that is pending are behind its pairs; the copy may have less room for titles.
    const isOtherLink = end && (copied === 'later' || hasLessRoom(copy, original))
    const isToCompute = isComputed(copy) || original.isPending || isOtherLink
    const dirty = new Map([[tableId, isToCompute ? [copy.id] : []]])
    const { pendingFieldIds } = await calculateFields(context, graph, dirty)
    const isPending = copy.isPending || pendingFieldIds.has(copy.id)
    await noteAddedFields(context, { tableId, fieldIds: [copy.id] }, noteId)
    return { ...toFieldOutput({ ...copy, isPending }), version: copy.version }
  },
})

/**
 * The records whose values the copy gets at once; none where its values are computed. `later` where they take too
 * many bytes for that and the copy can be without them at first: one that is required can't, nor can a link with an
 * error, whose cells are all that is left of it.
 */
async function valuesToCopy(
  { tx, schema }: FieldContext,
  copy: Field,
): Promise<readonly SizedRange[] | 'later'> {
  if (isComputed(copy) || copy.columnName === null) return []
  const canWait = !copy.notNull && !(linkCapabilityOf(copy) && copy.hasError)
  const whole = new WholeWrite([], 'copy the values of a field')
  return (await whole.rangesOf(tx, schema, { canWait })) ?? 'later'
}

function hasLessRoom(copy: Field, original: Field): boolean {
  return roomFor(copy) < roomFor(original)
}

/** The copy, before it is stored: unique values can't be there twice, all else is as in the original. */
async function toCopy(
  { tx, base, table, schema, field, userId, now, ids }: FieldContext,
  graph: SchemaGraph,
  name = field.name,
): Promise<Field> {
  const type = typeOf(field)
  const link = linkCapabilityOf(field)
  const options = link ? link.asOneWay(field.options) : field.options
  const definition = {
    type: field.type,
    name,
    isLookup: field.isLookup,
    notNull: field.notNull,
    aiConfig: field.aiConfig as never,
    ...(field.description === null ? {} : { description: field.description }),
    ...(field.lookupOptions ? { lookupOptions: field.lookupOptions } : {}),
  }
  const existing = schema.fields.map((one) => one.field)
  const neighbours = await takenNamesIn(tx, schema)
  const placed = await buildFields([{ definition, type, options, defaultName: name }], neighbours, {
    tableId: table.id,
    userId,
    now,
    ids,
    pathOf: onlyDefinition,
  })
  const made = asOwners(placed, { baseId: base.id, ids })
  const place = {
    baseId: base.id,
    existing,
    foreign: anyTable(graph),
    pathOf: onlyDefinition,
    stored: field,
  }
  const [copy] = field.hasError
    ? made.map((broken) => ({ ...broken, result: field.result, hasError: true }))
    : await deriveNewFields(made, place)
  assert(copy, 'one definition makes one field')
  await requireColumnRoom(tx, neighbours, table.id, [copy])
  return copy
}
