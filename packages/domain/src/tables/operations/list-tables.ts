import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { tableOutput, toTableOutput } from '../table-output.ts'

/** Lists the tables of a base in the order of their nodes. */
export const listTables = defineRead({
  summary: 'List tables',
  input: z.object({ baseId: idSchema }),
  output: z.array(tableOutput),
  access: onBase('table|read'),
  run: async ({ tx, base }) => {
    const tables = new Map((await tx.tables.listOf(base.id)).map((table) => [table.id, table]))
    return (await tx.nodes.list(base.id)).flatMap(({ resourceId, order, defaultViewId }) => {
      const table = tables.get(resourceId)
      if (!table) return []
      return [toTableOutput(table, { order, defaultViewId: defaultViewId ?? undefined })]
    })
  },
})
