import { z } from 'zod'
import { onBase } from '../bases/base-guard.ts'
import { fieldView, toFieldView } from '../fields/field.ts'
import { idSchema } from '../ids.ts'
import { recordView, toWrittenViews } from '../records/record-view.ts'
import { addNode } from '../tree/add-node.ts'
import { defineWrite } from '../use-case.ts'
import { toViewView, viewView } from '../views/view.ts'
import { createTableIn } from './create-table-in.ts'
import { tableDefinitionSchema } from './table-definition.ts'
import { tableView, toTableView } from './table-view.ts'

/** Creates a table with its fields, views and records in one call. */
export const createTable = defineWrite({
  summary: 'Create a table',
  input: z.object({ baseId: idSchema, ...tableDefinitionSchema.shape }),
  output: tableView.extend({
    fields: z.array(fieldView),
    views: z.array(viewView),
    records: z.array(recordView),
  }),
  access: onBase('table|create', 'update'),
  run: async (context, definition) => {
    const { base } = context
    const { table, fields, views, records } = await createTableIn(context, base, definition)
    const node = await addNode(context, {
      base,
      parentId: null,
      resourceType: 'table',
      resourceId: table.id,
    })
    const fieldIds = fields.map(({ id }) => id)
    return {
      ...toTableView(table, { order: node.order, defaultViewId: views[0]?.id }),
      fields: fields.map(toFieldView),
      views: views.map((view) => toViewView(view, fieldIds)),
      records: toWrittenViews(context.actor, records),
      version: table.version,
    }
  },
})
