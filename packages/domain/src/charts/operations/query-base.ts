import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { idSchema } from '../../ids.ts'
import { cellFormats } from '../../records/showing/record-output.ts'
import { defineRead } from '../../use-case.ts'
import { showingChart } from '../chart-guard.ts'
import { chartOutput } from '../chart-output.ts'
import { runChart } from '../run-chart.ts'
import { savedQuerySchema } from '../saved-query.ts'

/** How a caller says in which form a chart is answered. */
export const chartFormat = z
  .enum(cellFormats)
  .default('text')
  .describe('Whether values are answered as people read them, or as JSON has them')

/** Answers a query of the tables of a base that isn't saved, such as that of a chart which is being made. */
export const queryBase = defineRead({
  summary: 'Query the tables of a base',
  input: z.object({
    baseId: idSchema,
    query: savedQuerySchema.describe('What is asked'),
    cellFormat: chartFormat,
  }),
  output: chartOutput,
  access: showingChart(onBase('base|query_data')),
  run: (context, { baseId, query, cellFormat }) =>
    runChart({ ...context, baseId }, query, { cellFormat, path: ['query'] }),
})
