import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onTableOfBase } from '../table-guard.ts'

/** Answers the view that a table opens with: its first one. */
export const getDefaultView = defineRead({
  summary: 'Get the default view of a table',
  input: z.object({ baseId: idSchema, tableId: idSchema }),
  output: z.object({ id: z.string() }),
  access: onTableOfBase('table|read'),
  run: async ({ tx, table }) => {
    const [view] = await tx.views.listOf(table.id)
    if (!view) throw new DomainError('view_not_found', `The table "${table.id}" has no view`)
    return { id: view.id }
  },
})
