import {
  type Measured,
  type MeasureKind,
  measuresOf,
  type StatisticName,
  statisticFrom,
} from '../../queries/statistics.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import type { Measure } from '../reading/record-finder.ts'

/** A statistic that is asked for, of a field. */
export interface Wanted {
  readonly field: SchemaField
  readonly statistic: StatisticName
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
