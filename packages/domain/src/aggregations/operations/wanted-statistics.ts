import { type Issue, invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
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
import type { Measure } from '../../records/query/record-finder.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../../schemas/table-schema.ts'

/** A statistic that is asked for, of a field. */
export interface Wanted {
  readonly field: SchemaField
  readonly statistic: StatisticName
}

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
        issues.push({ path, message: 'must be the name or id of a field of the table' })
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
        message: `must be a field that has it: this one has ${known.join(', ')}`,
      })
      return []
    })
  })
  if (wanted.length + issues.length > most) {
    const message = `must ask for at most ${most} statistics`
    throw invalid([{ path: ['field'], message }])
  }
  if (issues.length > 0) throw invalid(issues)
  return wanted
}

/** What has to be measured for statistics, and how these follow from it. */
export class MeasuredStatistics {
  /** Each once, however many of the statistics follow from it: some take a pass over the records by themselves. */
  readonly measures: readonly Measure[]
  readonly #wanted: readonly Wanted[]
  /** For each of the statistics, the places of its measures. */
  readonly #places: readonly ReadonlyMap<MeasureKind, number>[]

  constructor(wanted: readonly Wanted[]) {
    const places = new Map<string, number>()
    const measures: Measure[] = []
    const placeOf = (field: SchemaField, kind: MeasureKind): number => {
      const key = `${field.field.id} ${kind}`
      const place = places.get(key) ?? measures.push({ field, kind }) - 1
      places.set(key, place)
      return place
    }
    this.#wanted = wanted
    this.#places = wanted.map(
      ({ field, statistic }) =>
        new Map(measuresOf(statistic).map((kind) => [kind, placeOf(field, kind)])),
    )
    this.measures = measures
  }

  /** The values of the statistics, in their order, of so many records and what was measured of them. */
  from({
    records,
    measured,
  }: {
    readonly records: number
    readonly measured: readonly Measured[]
  }): readonly Measured[] {
    return this.#wanted.map(({ statistic }, index) => {
      const values: Partial<Record<MeasureKind, Measured>> = {}
      for (const [kind, place] of this.#places[index] ?? []) values[kind] = measured[place] ?? null
      return statisticFrom(statistic, records, values)
    })
  }
}
