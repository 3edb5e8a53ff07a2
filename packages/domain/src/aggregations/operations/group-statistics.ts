import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import type { Measured, StatisticName } from '../../queries/statistics.ts'
import { groupIdsOf } from '../../records/groups/group-ids.ts'
import { groupKeysOf } from '../../records/groups/read-groups.ts'
import { MeasuredStatistics, type Wanted } from '../../records/query/measured-statistics.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/** A statistic of the records of a group. */
export interface GroupStatistic {
  readonly value: Measured
  readonly aggFunc: StatisticName
}

/**
 * For each of the statistics that are asked for, its values by the ids of groups: those of every depth by which the
 * query groups, the innermost first, those of one depth by their ids. validation_error where there are too many of them.
 */
export async function groupStatistics(
  tx: ReadTx,
  schema: TableSchema,
  query: RecordQuery,
  wanted: readonly Wanted[],
): Promise<readonly Readonly<Record<string, GroupStatistic>>[]> {
  const fields = groupKeysOf(query).map(({ field }) => field)
  const statistics = new MeasuredStatistics(wanted)
  const { measures } = statistics
  const byStatistic = wanted.map((): Record<string, GroupStatistic> => ({}))
  let count = 0
  // The innermost first: there are most of them.
  for (let depth = fields.length; depth > 0; depth--) {
    const by = fields.slice(0, depth)
    const most = Math.min(
      limits.groups,
      Math.floor((limits.statisticsByGroup - count) / wanted.length),
    )
    const grouping = { fields: by, measures, most: most + 1, withFirsts: false }
    const groups = await tx.recordFinder.groups(schema, query.condition, grouping)
    if (groups.length > most) throw tooMany()
    count += groups.length * wanted.length
    const ids = groupIdsOf(schema, by, groups)
    const found = groups.map((group, index) => ({ group, id: ids[index]?.at(-1) ?? '' }))
    // Each storage finds them in an order of its own.
    for (const { id, group } of found.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      for (const [place, value] of statistics.from(group).entries()) {
        const { statistic } = wanted[place] as Wanted
        const values = byStatistic[place] as Record<string, GroupStatistic>
        values[id] = { value, aggFunc: statistic }
      }
    }
    await tx.giveWay()
  }
  return byStatistic
}

function tooMany() {
  const most = `must make ${limits.groups} groups at most, and ${limits.statisticsByGroup} statistics of them in all`
  return invalidAt(['groupBy'], `${most}: ask for fewer statistics, or group by fewer fields`)
}
