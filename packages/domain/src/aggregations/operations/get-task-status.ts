import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'

/** Tells which cells a model is working on: none, since this product calls no model. */
export const getTaskStatus = defineRead({
  summary: 'List the AI tasks that fill in cells',
  input: z.object({ tableId: idSchema }),
  output: z.object({
    cells: z.array(z.unknown()).describe('The cells that are being filled in: none'),
    fieldMap: z
      .record(z.string(), z.unknown())
      .describe('The fields of those cells, by their ids: none'),
  }),
  access: onTable('record|read'),
  run: async () => ({ cells: [], fieldMap: {} }),
})
