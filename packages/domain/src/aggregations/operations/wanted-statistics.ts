import { type Issue, invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type StatisticName, statisticNames, statisticsOf } from '../../queries/statistics.ts'
import { findField, noField } from '../../queries/to-condition.ts'
import type { Wanted } from '../../records/query/measured-statistics.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { View } from '../../views/view.ts'

interface WantedInput {
  readonly fieldKeyType: FieldKeyType
  readonly field: Readonly<Partial<Record<StatisticName, readonly string[] | undefined>>>
}

/**
 * The statistics that are asked for, field by field, each once however often it is asked for: some take a pass over the
 * records by themselves. validation_error for those that a field has not, and for more than so many.
 */
export function toWanted(
  schema: TableSchema,
  input: WantedInput,
  most: number = limits.statisticsPerCall,
): readonly Wanted[] {
  const issues: Issue[] = []
  const wanted = statisticNames.flatMap((statistic) => {
    const taken = new Set<string>()
    return (input.field[statistic] ?? []).flatMap((key, index): Wanted[] => {
      const field = findField(key, { schema, fieldKeyType: input.fieldKeyType })
      const path = ['field', statistic, index]
      if (!field) {
        issues.push({ path, message: noField({ schema, fieldKeyType: input.fieldKeyType }) })
        return []
      }
      const known = statisticsOf(field.rules.form)
      if (known.includes(statistic)) {
        if (taken.has(field.field.id)) return []
        taken.add(field.field.id)
        return [{ field, statistic }]
      }
      issues.push({
        path,
        message: `must be a field with this statistic: this field has ${known.join(', ')}`,
      })
      return []
    })
  })
  requireAtMost(most, wanted.length + issues.length)
  if (issues.length > 0) throw invalid(issues)
  return wanted
}

/**
 * The statistics that the view notes for its columns, in the order of these. One that its field doesn't have any more is left
 * out. validation_error for more than so many.
 */
export function statisticsOfView(
  { columnMeta }: View,
  columns: readonly SchemaField[],
  most: number,
): readonly Wanted[] {
  const wanted = columns.flatMap((field): Wanted[] => {
    const { statisticFunc: statistic } = columnMeta[field.field.id] ?? {}
    const isKnown = statistic && statisticsOf(field.rules.form).includes(statistic)
    return isKnown ? [{ field, statistic }] : []
  })
  requireAtMost(most, wanted.length)
  return wanted
}

function requireAtMost(most: number, count: number): void {
  if (count <= most) return
  throw invalid([{ path: ['field'], message: `must ask for at most ${most} statistics` }])
}
