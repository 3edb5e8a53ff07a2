import { z } from 'zod'
import { onBase } from '../../../bases/base-guard.ts'
import { fieldOutput, toFieldOutput } from '../../../fields/field-output.ts'
import { idSchema } from '../../../ids.ts'
import { recordOutput } from '../../../records/showing/record-output.ts'
import { addNode } from '../../../tree/add-node.ts'
import { defineWrite } from '../../../use-case.ts'
import { compareOrder } from '../../../values/ordering.ts'
import { toViewOutput, viewOutput } from '../../../views/view.ts'
import { tableOutput, toTableOutput } from '../../table-output.ts'
import { createTableIn } from './create-table-in.ts'
import { tableDefinitionSchema } from './table-definition.ts'

/** Creates a table with its fields, views and records in one call. */
export const createTable = defineWrite({
  summary: 'Create a table',
  input: z.object({ baseId: idSchema, ...tableDefinitionSchema.shape }),
  output: tableOutput.extend({
    fields: z.array(fieldOutput),
    views: z.array(viewOutput),
    records: z.array(recordOutput),
  }),
  access: onBase('table|create', 'update'),
  endsAtLength: true,
  run: async (context, definition) => {
    const { base } = context
    const { table, fields, views, records } = await createTableIn(context, base, definition)
    const node = await addNode(context, {
      base,
      parentId: null,
      order: definition.order,
      resourceType: 'table',
      resourceId: table.id,
    })
    const fieldIds = fields.map(({ id }) => id)
    const [first] = views.toSorted(compareOrder)
    return {
      ...toTableOutput(table, { order: node.order, defaultViewId: first?.id }),
      fields: fields.map(toFieldOutput),
      views: views.map((view) => toViewOutput(view, fieldIds)),
      records,
      version: table.version,
    }
  },
})
