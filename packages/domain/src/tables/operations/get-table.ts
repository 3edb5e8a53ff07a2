import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onTableOfBase } from '../table-guard.ts'
import { tableOutput, toTableOutput } from '../table-output.ts'

/** Answers one table. */
export const getTable = defineRead({
  summary: 'Get a table',
  input: z.object({ baseId: idSchema, tableId: idSchema }),
  output: tableOutput,
  access: onTableOfBase('table|read'),
  run: async ({ tx, table }) => {
    const node = await tx.nodes.findOf(table.id)
    const defaultViewId = node?.defaultViewId ?? undefined
    const view = toTableOutput(table, { order: node?.order, defaultViewId })
    return { ...view, version: table.version }
  },
})
