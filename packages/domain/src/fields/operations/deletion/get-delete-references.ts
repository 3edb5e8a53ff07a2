import { z } from 'zod'
import { mayReadBase } from '../../../bases/may-read-base.ts'
import { notFound } from '../../../errors.ts'
import { idSchema } from '../../../ids.ts'
import { limits } from '../../../limits.ts'
import { readersOf } from '../../../schemas/readers-of.ts'
import { type LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import { onTable } from '../../../tables/table-guard.ts'
import { defineRead } from '../../../use-case.ts'
import type { Field } from '../../field.ts'
import { fieldTypeNames } from '../../field-type-name.ts'
import { symmetricOf } from '../../link-of.ts'

const reference = z
  .object({
    tableId: z.string().describe('The table of the field'),
    fieldId: z.string().describe('The id of the field'),
    name: z.string().describe('Its name'),
    type: z.enum(fieldTypeNames).describe('Its type'),
  })
  .meta({ id: 'FieldReference' })

/**
 * Tells which fields would have errors, or go along, if fields were deleted: by field, as far as the
 * caller may read them.
 */
export const getDeleteReferences = defineRead({
  summary: 'List what the deletion of fields would break',
  input: z.object({
    tableId: idSchema,
    fieldIds: z
      .array(idSchema)
      .min(1)
      .max(limits.fieldsPerTable)
      .describe('The fields that might be deleted'),
  }),
  output: z.record(z.string(), z.array(reference)),
  access: onTable('field|read'),
  run: async (context, { tableId, fieldIds }) => {
    const { tx, base, table } = context
    const graph = new SchemaGraph(tx, 'none')
    const { schema } = await graph.put(table)
    const references: Record<string, z.output<typeof reference>[]> = {}
    for (const fieldId of new Set(fieldIds)) {
      const known = schema.byKey.id.get(fieldId)
      if (!known) throw notFound('field', fieldId)
      const found = [
        ...(await readersOf(graph, { tableId, fieldId })),
        ...(await otherEndOf(graph, known.field)),
      ]
      const shown: z.output<typeof reference>[] = []
      for (const { place, field } of found) {
        if (!(await mayReadBase(context, place.table.baseId, base.spaceId))) continue
        const { id, name, type } = field
        shown.push({ tableId: place.table.id, fieldId: id, name, type })
      }
      references[fieldId] = shown
    }
    return references
  },
})

/** The field that shows a link from its other end. */
async function otherEndOf(
  graph: SchemaGraph,
  field: Field,
): Promise<readonly { readonly place: LoadedTable; readonly field: Field }[]> {
  const end = symmetricOf(field)
  const place = end && (await graph.find(end.tableId))
  const other = place?.schema.byKey.id.get(end?.fieldId ?? '')
  return place && other ? [{ place, field: other.field }] : []
}
