import { z } from 'zod'
import { requireScope, showing } from '../../../access/guard.ts'
import { toCanonicalJson } from '../../../bases/canonical-form.ts'
import { assert } from '../../../errors.ts'
import { idSchema } from '../../../ids.ts'
import { hasManyRecords } from '../../../records/reading/has-many-records.ts'
import { SchemaGraph } from '../../../schemas/schema-graph.ts'
import { defineWrite } from '../../../use-case.ts'
import { fieldOutput, toFieldOutput } from '../../field-output.ts'
import { fieldDefinitionSchema } from '../definition/field-definition.ts'
import { withTypedConversion } from '../definition/field-input.ts'
import { onField } from '../field-guard.ts'
import { requireCopied, requireSettled } from '../require-converted.ts'
import { makesChoicesOfCells } from './choices/choice-edits.ts'
import { convertAndNote } from './note-conversion.ts'
import { toConvertedField } from './to-converted-field.ts'

/**
 * Makes a field one of another type, or with other options. Values that have a natural reading in the new
 * form are kept, the rest is emptied.
 */
export const convertField = defineWrite({
  summary: 'Convert a field',
  input: withTypedConversion(
    z.object({
      tableId: idSchema,
      fieldId: idSchema,
      ...fieldDefinitionSchema.omit({ id: true }).shape,
    }),
  ),
  output: fieldOutput,
  access: showing(onField('field|update', 'update'), 'field|read'),
  run: async (context, { tableId, fieldId, ...definition }) => {
    const { tx, table, field } = context
    requireSettled(field)
    await requireCopied(tx, [field], 'convert it')
    if (await hasManyRecords(tx, context.schema)) tx.becomeLong()
    const graph = new SchemaGraph(tx, 'update')
    await graph.put(table)
    const wanted = await toConvertedField(context, graph, definition)
    if (toCanonicalJson(field) === toCanonicalJson(wanted))
      return { ...toFieldOutput(field), version: field.version }
    // The answer shows what is made of cells.
    if (makesChoicesOfCells(field, wanted)) requireScope(context.actor, 'record|read')
    await convertAndNote(context, graph, wanted)
    const { schema } = await new SchemaGraph(tx, 'none').get(tableId)
    const view = schema.byKey.id.get(fieldId)?.field
    assert(view, 'the field is still there')
    return { ...toFieldOutput(view), version: view.version }
  },
})
