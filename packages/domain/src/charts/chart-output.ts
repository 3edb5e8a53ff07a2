import { z } from 'zod'
import { fieldOutputWith } from '../fields/field-output.ts'

const fieldSource = fieldOutputWith('ChartField', {
  isConditionalLookup: z.boolean().describe('Whether it looks records up by a condition: never'),
}).describe('The field; of a lookup or rollup with the base of the linked table')

/** What a chart answers. */
export const chartOutput = z
  .object({
    rows: z
      .array(
        z
          .record(z.string(), z.unknown())
          .describe('A value for each column, by what `column` says; null where there is none'),
      )
      .describe('The rows in their order'),
    columns: z
      .array(
        z
          .object({
            name: z.string().describe('What it is called'),
            column: z.string().describe('Its name in the rows and in the query'),
            type: z
              .enum(['field', 'aggregation'])
              .describe('Whether it shows a field or a statistic of it'),
            fieldSource,
          })
          .meta({ id: 'ChartColumn' }),
      )
      .describe('The columns in their order'),
  })
  .meta({ id: 'Chart' })

/** What a chart answers. */
export type ChartOutput = z.output<typeof chartOutput>
