import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { indexTypeSchema } from '../../indexes/index-type.ts'
import { findSearchIndex } from '../../indexes/want-index.ts'
import { defineRead } from '../../use-case.ts'
import { onTableOfBase } from '../table-guard.ts'

/** Answers which indexes a table has that people can switch, those that are still being made included. */
export const listActiveIndexes = defineRead({
  summary: 'List the indexes of a table that are on',
  input: z.object({ baseId: idSchema, tableId: idSchema }),
  output: z.array(indexTypeSchema),
  access: onTableOfBase('table|read'),
  run: async ({ tx, table }) => ((await findSearchIndex(tx, table.id)) ? ['search' as const] : []),
})
