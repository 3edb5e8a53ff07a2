import { calculateFields } from '../../calculations/calculate-fields.ts'
import { assert } from '../../errors.ts'
import { hasManyRecords } from '../../records/reading/has-many-records.ts'
import { type LoadedTable, SchemaGraph } from '../../schemas/schema-graph.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../../views/change-view.ts'
import { placesOf } from '../../views/column-meta.ts'
import type { Field } from '../field.ts'
import { fieldOutput, toFieldOutput } from '../field-output.ts'
import { isComputed } from '../field-values.ts'
import { insertFields } from './building/insert-fields.ts'
import { noteAddedFields } from './building/note-added-fields.ts'
import { toNewField } from './building/to-new-field.ts'
import { checkDefinition } from './definition/field-definition.ts'
import { newFieldInput } from './definition/field-input.ts'
import { findViewOfPlace } from './definition/field-place.ts'
import { requireFilling } from './require-filling.ts'

/** Adds a field to a table. Its column is added to the physical table, whatever the number of records. */
export const createField = defineWrite({
  summary: 'Create a field',
  input: newFieldInput,
  output: fieldOutput,
  access: onTable('field|create', 'update'),
  run: async (context, { tableId, order, ...definition }) => {
    const { tx, table, userId, now, ids } = context
    const checked = checkDefinition(definition, ids)
    const graph = new SchemaGraph(tx, 'update')
    const { schema } = await graph.put(table)
    const isForAll = definition.unique || definition.notNull
    if (isForAll && (await hasManyRecords(tx, schema))) tx.becomeLong()
    const field = await toNewField(context, graph, checked)
    const fieldIds = schema.fields.map((one) => one.field.id)
    const view = await findViewOfPlace(context, order)
    await insertFields(context, graph, [field])
    if (field.notNull) await fillAndRequire(context, await graph.get(tableId), field)
    await noteAddedFields(context, { tableId, fieldIds: [field.id], areEmpty: !field.notNull })
    tx.emit({ name: 'field.created', time: now, userId, payload: { tableId, fieldId: field.id } })
    if (order && view) {
      // The others keep the places that they show, those in the trash what is noted of them.
      const places = { ...view.columnMeta, ...placesOf(view, fieldIds) }
      const columnMeta = { ...places, [field.id]: { order: order.orderIndex } }
      await changeView(context, view, { columnMeta })
    }
    const dirty = new Map([[tableId, isComputed(field) ? [field.id] : []]])
    const { pendingFieldIds } = await calculateFields(context, graph, dirty)
    const made = await graph.findField(tableId, field.id)
    const isPending = pendingFieldIds.has(field.id) || made?.field.isPending === true
    return { ...toFieldOutput({ ...field, isPending }), version: field.version }
  },
})

/** Fills the records of a table with the default of a required field, and has the storage require it. */
async function fillAndRequire(
  context: TableContext,
  { table, schema }: LoadedTable,
  field: Field,
): Promise<void> {
  const { tx } = context
  const { column } = schema.byKey.id.get(field.id) ?? {}
  assert(column, 'a required field has a column')
  const filling = await requireFilling(context, schema, field)
  if (filling) {
    for (const range of filling.ranges) {
      await tx.columns.fill(schema, column, filling.cell, range)
      await tx.giveWay()
    }
  }
  await tx.fields.requireValues(table, field)
}
