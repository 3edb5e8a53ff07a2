import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { schedulePurge } from './purge-trash.ts'
import { onTrashEntry } from './trash-guard.ts'

/** Purges one entry of a trash: what it names is out of reach at once, and the background takes it away. */
export const purgeTrashEntry = defineWrite({
  summary: 'Delete one entry of a trash for good',
  input: z.object({ trashId: idSchema.describe('The entry') }),
  output: noOutput,
  access: onTrashEntry({
    space: ['space|delete'],
    base: ['base|delete'],
    table: ['table|delete'],
    dashboard: ['base|update'],
    workflow: ['automation|delete'],
    view: ['table|trash_reset'],
    field: ['table|trash_reset'],
    record: ['table|trash_reset'],
  }),
  run: async (context) => {
    await context.tx.trash.discard([context.entry.id])
    await schedulePurge(context)
  },
})
