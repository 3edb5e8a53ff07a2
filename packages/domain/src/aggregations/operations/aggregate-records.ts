import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { type StatisticName, statisticNames } from '../../queries/statistics.ts'
import {
  type AskedContext,
  type AskedInput,
  columnsOf,
  findAskedQuery,
} from '../../records/query/find-asked-query.ts'
import { MeasuredStatistics } from '../../records/query/measured-statistics.ts'
import { groupShape, pickShape, queryShape } from '../../records/query/query-shape.ts'
import { becomeLongIfMany } from '../../records/reading/become-long-if-many.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { groupStatistics } from './group-statistics.ts'
import { statisticsOfView, toWanted } from './wanted-statistics.ts'

const fieldsOfStatistic = z
  .array(textUpTo(limits.shortTextLength))
  .max(limits.fieldsPerTable)
  .optional()

const statisticOutput = z.object({
  value: z
    .union([z.number(), z.string()])
    .nullable()
    .describe('The statistic; null where there is nothing to work it out of'),
  aggFunc: z.enum(statisticNames).describe('Which statistic it is'),
})

/** How a caller says which statistics are asked for. */
export const statisticsShape = {
  field: z
    .strictObject(
      Object.fromEntries(
        statisticNames.map((name) => [name, fieldsOfStatistic.describe('Of these fields')]),
      ) as Record<StatisticName, typeof fieldsOfStatistic>,
    )
    .optional()
    .describe(
      'The statistics, each with its fields: {"sum": ["Pages"]}; those that the view notes for the fields that it shows, where it is left out',
    ),
  groupBy: groupShape.groupBy.describe('By which fields the statistics are told group by group'),
}

/** Statistics, each with its field. */
export const aggregationsOutput = z.object({
  aggregations: z.array(
    z.object({
      fieldId: z.string().describe('The id of the field'),
      total: statisticOutput.describe('Of all the records'),
      group: z
        .record(z.string(), statisticOutput)
        .optional()
        .describe('Of the records of each group, by its id: groups of every depth'),
    }),
  ),
})

/** Works statistics out of the cells of the records that a filter lets through. */
export const aggregateRecords = defineRead({
  summary: 'Work out statistics',
  input: z.object({
    tableId: idSchema,
    ...queryShape,
    ...pickShape,
    ...statisticsShape,
  }),
  output: aggregationsOutput,
  access: onTable('record|read'),
  run: (context, input) => aggregate(context, input),
})

/** Computes the statistics that are asked for, so many at most, of the fields that the caller may name. */
export async function aggregate(
  context: AskedContext,
  input: StatisticsInput,
  most: number = limits.statisticsPerCall,
) {
  const { tx } = context
  const asked = await findAskedQuery(context, input)
  const { schema, shown, query, view } = asked
  const { fieldKeyType, field } = input
  const wanted =
    view && !field
      ? statisticsOfView(view, columnsOf(asked, context.only), most)
      : toWanted(shown, { fieldKeyType, field: field ?? {} }, most)
  if (wanted.length === 0) return { aggregations: [] }
  await becomeLongIfMany(tx, schema, query.condition)
  const statistics = new MeasuredStatistics(wanted)
  const { measures } = statistics
  const total = await tx.recordFinder.measure(schema, query.condition, measures)
  const groups = input.groupBy && (await groupStatistics(tx, schema, query, wanted))
  const values = statistics.from(total)
  const aggregations = wanted.map(({ field, statistic }, index) => ({
    fieldId: field.field.id,
    total: { value: values[index] ?? null, aggFunc: statistic },
    ...(groups && { group: groups[index] ?? {} }),
  }))
  return { aggregations }
}

interface StatisticsInput extends AskedInput {
  /** Those that the view notes, where it is left out. */
  readonly field?: Parameters<typeof toWanted>[1]['field'] | undefined
}
