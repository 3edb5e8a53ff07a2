import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { defineRead } from '../use-case.ts'
import { onTableOfBase } from './table-guard.ts'
import { tableView, toTableView } from './table-view.ts'

/** Answers one table. */
export const getTable = defineRead({
  summary: 'Get a table',
  input: z.object({ baseId: idSchema, tableId: idSchema }),
  output: tableView,
  access: onTableOfBase('table|read'),
  run: async ({ tx, table }) => {
    const node = await tx.nodes.findOf(table.id)
    const defaultViewId = node?.defaultViewId ?? undefined
    const view = toTableView(table, { order: node?.order, defaultViewId })
    return { ...view, version: table.version }
  },
})
