import { z } from 'zod'
import { filterSchema } from '../fields/filter.ts'
import { idSchema, idSchemaOf } from '../ids.ts'
import { limits } from '../limits.ts'
import { statisticNames } from '../queries/statistics.ts'
import { textUpTo } from '../values/storable-text.ts'

/** How the records of two tables are joined. */
export const joinTypes = ['INNER JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'] as const

/** How the records of two tables are joined. */
export type JoinType = (typeof joinTypes)[number]

const fieldId = textUpTo(limits.shortTextLength).describe('The id of a field')
const column = textUpTo(limits.shortTextLength).describe(
  'The id of a field; of a statistic `<fieldId>_<statisticFunc>`',
)
const columnType = z
  .enum(['field', 'aggregation'])
  .describe('Whether the column is a field or a statistic')

const join = z
  .strictObject({
    type: z.enum(joinTypes).describe('Which records stay that have no counterpart'),
    table: idSchema.describe('A table of the same base that is not named before'),
    on: z
      .tuple([fieldId, fieldId])
      .describe('A field of this table, and one of a table that is named before: alike in both'),
  })
  .meta({ id: 'ChartJoin' })

/**
 * The query of a chart as it is saved: its form and size are checked; whether tables and fields are there, and what
 * fits which of them, is asked by `toChartQuery`.
 */
export const savedQuerySchema = z
  .strictObject({
    // Some programs nest a query there.
    from: idSchemaOf('a table').describe('The table whose records are asked for'),
    join: z.array(join).max(limits.chartJoins).optional().describe('Further tables, in turn'),
    where: filterSchema
      .optional()
      .describe('What must hold of the rows, fields of all tables named by their ids'),
    groupBy: z
      .array(z.strictObject({ column: fieldId, type: z.literal('field') }))
      .max(limits.groupFields)
      .optional()
      .describe('One row for each group by these fields'),
    aggregation: z
      .array(
        z.strictObject({
          column: fieldId,
          type: z.literal('field'),
          statisticFunc: z.enum(statisticNames).describe('What is worked out of its cells'),
        }),
      )
      .max(limits.chartStatistics)
      .optional()
      .describe('Statistics of each group, or of all rows'),
    select: z
      .array(
        z.strictObject({
          column,
          type: columnType,
          alias: textUpTo(limits.nameLength).optional().describe('What the column is called'),
        }),
      )
      .min(1)
      .max(limits.chartColumns)
      .optional()
      .describe('The columns that are answered; all of them when it is left out'),
    orderBy: z
      .array(
        z.strictObject({
          column,
          type: columnType,
          order: z.enum(['asc', 'desc']).describe('Smaller or larger ones first'),
        }),
      )
      .max(limits.sortFields)
      .optional()
      .describe('By which columns the rows are ordered, the first one first'),
    limit: z
      .int()
      .min(1)
      .max(limits.chartRows)
      .default(limits.chartRows)
      .describe('How many rows are answered at most'),
    offset: z
      .int()
      .min(0)
      .max(limits.recordsSkipped)
      .default(0)
      .describe('How many rows are passed over before the first that is answered'),
  })
  .meta({ id: 'ChartQuery' })

/** The query of a chart as it is saved. */
export type SavedQuery = z.output<typeof savedQuerySchema>
