import { limits } from '../../../limits.ts'
import { SchemaGraph } from '../../../schemas/schema-graph.ts'
import { onTable } from '../../../tables/table-guard.ts'
import { defineRead } from '../../../use-case.ts'
import { isComputed } from '../../field-values.ts'
import { toSymmetricField } from '../building/make-links.ts'
import { toNewField } from '../building/to-new-field.ts'
import { checkDefinition } from '../definition/field-definition.ts'
import { newFieldInput } from '../definition/field-input.ts'
import { findViewOfPlace } from '../definition/field-place.ts'
import { requireFilling } from '../require-filling.ts'
import { fieldPlan, linkFieldIds, toFieldPlan } from './field-plan.ts'

/** Tells what creating a field would cost; refuses what creating it would refuse. */
export const planCreation = defineRead({
  summary: 'Plan the creation of a field',
  input: newFieldInput,
  output: fieldPlan,
  access: onTable('field|create'),
  isLong: ({ notNull }) => notNull === true,
  run: async (context, { tableId, order, ...definition }) => {
    const { tx, table, ids } = context
    const graph = new SchemaGraph(tx, 'none')
    const { schema } = await graph.put(table)
    const field = await toNewField(context, graph, checkDefinition(definition, ids))
    await findViewOfPlace(context, order)
    if (field.notNull) await requireFilling(context, schema, field)
    const isFilled = isComputed(field) || field.notNull
    const records = isFilled ? await tx.recordScanner.count(schema, limits.recordsCounted) : 0
    await toSymmetricField(context, graph, field)
    return toFieldPlan(records, linkFieldIds(field).length)
  },
})
