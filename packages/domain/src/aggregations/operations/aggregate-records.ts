import { z } from 'zod'
import { type Issue, invalid } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { notYet } from '../../not-yet.ts'
import {
  type Measured,
  type MeasureKind,
  measuresOf,
  type StatisticName,
  statisticFrom,
  statisticNames,
  statisticsOf,
} from '../../queries/statistics.ts'
import { findField } from '../../queries/to-condition.ts'
import { becomeLongIfMany } from '../../records/query/become-long-if-many.ts'
import { findAskedQuery } from '../../records/query/find-asked-query.ts'
import { queryShape } from '../../records/query/query-shape.ts'
import type { Measure } from '../../records/query/record-finder.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'

const fieldsOfStatistic = z
  .array(textUpTo(limits.shortTextLength))
  .max(limits.fieldsPerTable)
  .optional()

/** Works statistics out of the cells of the records that a filter lets through. */
export const aggregateRecords = defineRead({
  summary: 'Work out statistics',
  input: z.object({
    tableId: idSchema,
    ...queryShape,
    field: z
      .strictObject(
        Object.fromEntries(
          statisticNames.map((name) => [name, fieldsOfStatistic.describe('Of these fields')]),
        ) as Record<StatisticName, typeof fieldsOfStatistic>,
      )
      .default({})
      .describe('The statistics, each with its fields: {"sum": ["Pages"]}'),
    groupBy: notYet('statistics by group'),
  }),
  output: z.object({
    aggregations: z.array(
      z.object({
        fieldId: z.string().describe('The id of the field'),
        total: z.object({
          value: z
            .union([z.number(), z.string()])
            .nullable()
            .describe('The statistic; null where there is nothing to work it out of'),
          aggFunc: z.enum(statisticNames).describe('Which statistic it is'),
        }),
      }),
    ),
  }),
  access: onTable('record|read'),
  run: async (context, input) => {
    const { tx } = context
    const { schema, query } = await findAskedQuery(context, input)
    const wanted = toWanted(schema, input)
    if (wanted.length === 0) return { aggregations: [] }
    await becomeLongIfMany(tx, schema, query.condition)
    const measures = wanted.flatMap(({ field, statistic }) =>
      measuresOf(statistic).map((kind): Measure => ({ field, kind })),
    )
    const { records, measured } = await tx.recordFinder.measure(schema, query.condition, measures)
    let next = 0
    const aggregations = wanted.map(({ field, statistic }) => {
      const values: Partial<Record<MeasureKind, Measured>> = {}
      for (const kind of measuresOf(statistic)) values[kind] = measured[next++] ?? null
      const value = statisticFrom(statistic, records, values)
      return { fieldId: field.field.id, total: { value, aggFunc: statistic } }
    })
    return { aggregations }
  },
})

interface Wanted {
  readonly field: SchemaField
  readonly statistic: StatisticName
}

interface WantedInput {
  readonly fieldKeyType: FieldKeyType
  readonly field: Readonly<Partial<Record<StatisticName, readonly string[] | undefined>>>
}

/** The statistics that are asked for, field by field; validation_error for those that a field has not. */
function toWanted(schema: TableSchema, input: WantedInput): readonly Wanted[] {
  const issues: Issue[] = []
  const wanted = statisticNames.flatMap((statistic) =>
    (input.field[statistic] ?? []).flatMap((key, index): Wanted[] => {
      const field = findField(key, { schema, fieldKeyType: input.fieldKeyType })
      const path = ['field', statistic, index]
      if (!field) {
        issues.push({ path, message: 'must be the name or id of a field of the table' })
        return []
      }
      const known = statisticsOf(field.rules.form)
      if (known.includes(statistic)) return [{ field, statistic }]
      issues.push({
        path,
        message: `must be a field that has it: this one has ${known.join(', ')}`,
      })
      return []
    }),
  )
  if (wanted.length + issues.length > limits.statisticsPerCall) {
    const message = `must ask for at most ${limits.statisticsPerCall} statistics`
    throw invalid([{ path: ['field'], message }])
  }
  if (issues.length > 0) throw invalid(issues)
  return wanted
}
