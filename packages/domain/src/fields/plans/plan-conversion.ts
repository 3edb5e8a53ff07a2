import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { SchemaGraph } from '../../calculations/schema-graph.ts'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineRead } from '../../use-case.ts'
import { cellChangeOf, countConverted } from '../conversion/convert-cells.ts'
import { toConvertedField } from '../conversion/to-converted-field.ts'
import { fieldDefinitionSchema } from '../field-definition.ts'
import { onField } from '../field-guard.ts'
import { countFollowing, fieldPlan, linkFieldIds, toFieldPlan } from './field-plan.ts'

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
  input: z.object({
    tableId: idSchema,
    fieldId: idSchema,
    ...fieldDefinitionSchema.omit({ id: true }).shape,
  }),
  output: conversionPlan,
  access: showing(onField('field|update'), 'record|read'),
  isLong: () => true,
  run: async (context, { tableId, fieldId, ...definition }) => {
    const { tx, base, table, schema, field } = context
    const graph = new SchemaGraph(tx, 'none')
    await graph.put(table)
    const after = await toConvertedField(context, graph, definition)
    const before = schema.byKey.id.get(fieldId)
    assert(before, 'the field is in its table')
    const change = cellChangeOf(field, after)
    const place = { base, schema, before, after }
    const counts =
      change === 'compute'
        ? { kept: 0, emptied: 0, changed: await tx.records.count(schema, limits.recordsCounted) }
        : await countConverted(context, graph, place)
    const origins = [{ tableId, changed: [fieldId], dirty: [] }]
    const following = await countFollowing(tx, graph, origins)
    const linkCount = new Set([...linkFieldIds(field), ...linkFieldIds(after)]).size
    const touched = counts.changed + following
    return {
      ...toFieldPlan(touched, linkCount),
      ...(touched === 0 ? { skip: true as const } : {}),
      keptCellCount: counts.kept,
      emptiedCellCount: counts.emptied,
    }
  },
})
