import { z } from 'zod'
import { showing } from '../../../access/guard.ts'
import { toCanonicalJson } from '../../../bases/canonical-form.ts'
import type { Origin } from '../../../calculations/stages/plan-stages.ts'
import { assert } from '../../../errors.ts'
import { idSchema } from '../../../ids.ts'
import { limits } from '../../../limits.ts'
import { SchemaGraph } from '../../../schemas/schema-graph.ts'
import { defineRead } from '../../../use-case.ts'
import type { Field } from '../../field.ts'
import { isComputed } from '../../field-values.ts'
import { linkCapabilityOf } from '../../link-of.ts'
import { cellChangeOf, countConverted } from '../conversion/convert-cells.ts'
import type { ConversionPlace } from '../conversion/converted-pages.ts'
import { toConvertedField } from '../conversion/to-converted-field.ts'
import { countKeptLinks, keepsTrashedLinks } from '../conversion/trashed-links.ts'
import { fieldDefinitionSchema } from '../definition/field-definition.ts'
import { withTypedConversion } from '../definition/field-input.ts'
import type { FieldReadContext } from '../field-context.ts'
import { onField } from '../field-guard.ts'
import { requireCopied, requireSettled } from '../require-converted.ts'
import { countFollowing, fieldPlan, linkFieldIds, toFieldPlan } from './field-plan.ts'
import { linksTitledBy, type Reach, reachOf } from './reach-of.ts'

const conversionPlan = fieldPlan.extend({
  /** Cells whose value has a reading in the new form. */
  keptCellCount: z.number(),
  /** Cells that would lose their value. */
  emptiedCellCount: z.number(),
  /** Whether the conversion would touch no cell, and so costs nothing. */
  skip: z.literal(true).optional(),
})

/** Tells what converting a field would cost, and how many of its values would be lost. */
export const planConversion = defineRead({
  summary: 'Plan the conversion of a field',
  input: withTypedConversion(
    z.object({
      tableId: idSchema,
      fieldId: idSchema,
      ...fieldDefinitionSchema.omit({ id: true }).shape,
    }),
  ),
  output: conversionPlan,
  access: showing(showing(onField('field|update'), 'record|read'), 'field|read'),
  isLong: () => true,
  run: async (context, { tableId, fieldId, ...definition }) => {
    const { tx, base, table, schema, field } = context
    requireSettled(field)
    await requireCopied(tx, [field], 'convert it')
    const graph = new SchemaGraph(tx, 'none')
    await graph.put(table)
    const after = await toConvertedField(context, graph, definition)
    const before = schema.byKey.id.get(fieldId)
    assert(before, 'the field is in its table')
    const reach = reachOf(field, after)
    const counts = await countOwn(context, graph, { base, schema, before, after }, reach)
    const follows = counts.changed > 0 ? 'values' : reach
    const following = await countFollowing(tx, graph, await originsOf(graph, field, follows))
    const isSame = toCanonicalJson(field) === toCanonicalJson(after)
    const linkIds = isSame ? [] : [...linkFieldIds(field), ...linkFieldIds(after)]
    const linkCount = new Set(linkIds).size
    const touched = counts.changed + following
    return {
      ...toFieldPlan(touched, linkCount),
      ...(touched === 0 ? { skip: true as const } : {}),
      keptCellCount: counts.kept,
      emptiedCellCount: counts.emptied,
    }
  },
})

/** How many cells of the field itself would be kept, emptied, and another than before. */
async function countOwn(
  context: FieldReadContext,
  graph: SchemaGraph,
  place: ConversionPlace,
  reach: Reach,
) {
  const change = cellChangeOf(place.before.field, place.after)
  if (change === 'compute') {
    const { tx } = context
    const { schema, before } = place
    const most = limits.recordsCounted
    const workedOut = reach === 'values' ? await tx.recordScanner.count(schema, most) : 0
    // What follows from other cells is computed again: no value is lost with it.
    const isLost = before.column && !isComputed(before.field)
    if (!isLost) return { kept: 0, emptied: 0, changed: workedOut }
    const { living, deleted } = await tx.recordScanner.countFilled(schema, before.column, most)
    return { kept: 0, emptied: living + deleted, changed: workedOut + deleted }
  }
  if (change === 'convert') await countKeptLinks(context.tx, place.before.field, place.after)
  const counts = await countConverted(context, graph, place)
  const isLostInTrash = !keepsTrashedLinks(place.before.field, place.after)
  if (change === 'convert' && linkCapabilityOf(place.after) && isLostInTrash) {
    const lost = await countInTrash(context, place)
    return { ...counts, emptied: counts.emptied + lost, changed: counts.changed + lost }
  }
  // Cells that stay are not written, even where their form leaves out what is computed: a link's titles.
  return change === 'stay' && reach !== 'values' ? { ...counts, changed: 0 } : counts
}

/** How many values records in the trash have in the field: they lose them where it becomes a link, which they have none of. */
async function countInTrash(
  { tx }: FieldReadContext,
  { schema, before: { field, column, systemColumn } }: ConversionPlace,
): Promise<number> {
  const most = limits.recordsCounted
  if (column && !field.hasError) {
    return (await tx.recordScanner.countFilled(schema, column, most)).deleted
  }
  if (!systemColumn) return 0
  const all = await tx.recordScanner.count(schema, most, 'withDeleted')
  return all - (await tx.recordScanner.count(schema, most))
}

/** Where the calculation of what follows from the field begins. */
async function originsOf(
  graph: SchemaGraph,
  { tableId, id: fieldId }: Field,
  reach: Reach,
): Promise<readonly Origin[]> {
  if (reach === 'nothing') return []
  if (reach !== 'titles') return [{ tableId, changed: [fieldId], dirty: [] }]
  const links = await linksTitledBy(graph, { tableId, fieldId })
  return [...links].map(([id, dirty]) => ({ tableId: id, changed: [], dirty }))
}
