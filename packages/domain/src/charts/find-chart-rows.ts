import { invalidAt } from '../errors.ts'
import type { Cell } from '../fields/cell.ts'
import { limits } from '../limits.ts'
import { testsOf } from '../queries/condition.ts'
import { sortTextLength, sortValuesOf } from '../queries/sort-keys.ts'
import { readSamples } from '../records/groups/read-groups.ts'
import { becomeLongIfMany } from '../records/reading/become-long-if-many.ts'
import { findPeople, noteUsers } from '../records/reading/find-people.ts'
import { cellOf } from '../records/stored/cell-of.ts'
import type { ReadTx } from '../store.ts'
import type { FoundChartGroup } from './chart-finder.ts'
import { compareRows, fieldKeysOf, type OrderedRow } from './chart-order.ts'
import { type ChartQuery, type FoundRow, isSummary } from './chart-query.ts'
import { looksOfChart, measuresOf } from './looks-of-chart.ts'

/**
 * The rows that a chart asks for. Throws validation_error where joins make too many rows, or rows too many groups; the
 * issue stands at the path, which is that of the query.
 */
export async function findChartRows(
  tx: ReadTx,
  query: ChartQuery,
  path: readonly (string | number)[],
): Promise<readonly FoundRow[]> {
  const { rows, condition, limit, offset } = query
  if (rows.joins.length === 0) {
    for (const table of rows.tables) await becomeLongIfMany(tx, table)
  } else {
    tx.becomeLong()
    const most = joinedRowsMost(query)
    if (!(await tx.chartFinder.hasAtMost(rows, most))) {
      const rule = `must make at most ${most} rows each, before they are filtered`
      const advice = 'join by fields whose values differ more, or ask for less of each row'
      throw invalidAt([...path, 'join'], `${rule}: ${advice}`)
    }
    await requireFewBytes(tx, query, path)
  }
  if (isSummary(query)) return findGroups(tx, query, path)
  const page = { skip: offset, take: limit }
  const found = await tx.chartFinder.find(rows, { condition, keys: fieldKeysOf(query) }, page)
  return found.map((recordIds) => ({ recordIds, statistics: [] }))
}

/** How many rows joins may make: the more is asked of each row, the fewer. */
function joinedRowsMost(query: ChartQuery): number {
  const { condition, groupBy, statistics } = query
  const parts = [testsOf(condition), groupBy.length, statistics.length, fieldKeysOf(query).length]
  const asked = parts.reduce((sum, part) => sum + part, 1)
  return Math.min(limits.chartJoinedRows, Math.floor(limits.chartJoinWork / asked))
}

/** Throws validation_error where to look at the texts and lists of all joined rows would take too long. */
async function requireFewBytes(
  tx: ReadTx,
  query: ChartQuery,
  path: readonly (string | number)[],
): Promise<void> {
  const looks = looksOfChart(query)
  if (looks.size === 0) return
  if ((await tx.chartFinder.bytesOf(query.rows, looks)) <= limits.chartJoinedBytes) return
  const rule = `must make rows with at most ${limits.chartJoinedBytes} bytes of texts and lists together that the query filters, groups, counts or sorts by, a cell counted in each row that it is in`
  const advice = 'join by fields whose values differ more, or go by fields with shorter values'
  throw invalidAt([...path, 'join'], `${rule}: ${advice}`)
}

async function findGroups(
  tx: ReadTx,
  query: ChartQuery,
  path: readonly (string | number)[],
): Promise<readonly FoundRow[]> {
  const { rows, condition, groupBy, order, limit, offset } = query
  const fields = groupBy.map(({ inRow }) => inRow)
  const measured = measuresOf(query)
  const grouping = { fields, measures: measured.measures, most: limits.chartRows + 1 }
  const groups = await tx.chartFinder.groups(rows, condition, grouping)
  const most = `must make ${limits.chartRows} groups at most, of ${limits.groupsLength} bytes together`
  const tooMany = `${most}: group by fewer fields, or by one with fewer values`
  if (groups.length > limits.chartRows) throw invalidAt([...path, 'groupBy'], tooMany)
  const values = await orderValues(tx, query, groups)
  if (!values) throw invalidAt([...path, 'groupBy'], tooMany)
  await tx.giveWay()
  return groups
    .map((group, index) => ({
      recordIds: fields.length > 0 ? group.firsts.map((first) => first?.id ?? null) : [],
      statistics: measured.from(group),
      fields: values[index] ?? [],
      numbers: group.firsts.map((first) => first?.autoNumber ?? null),
    }))
    .toSorted(compareRows(order))
    .slice(offset, offset + limit)
    .map(({ recordIds, statistics: shown }) => ({ recordIds, statistics: shown }))
}

/** For each group what its fields order it by; undefined where the cells of these take too much. */
async function orderValues(
  tx: ReadTx,
  query: ChartQuery,
  groups: readonly FoundChartGroup[],
): Promise<readonly OrderedRow['fields'][] | undefined> {
  const keys = fieldKeysOf(query)
  const ordering = query.order.flatMap((item) => ('field' in item ? [item.field] : []))
  const cells: ((group: FoundChartGroup) => Cell | null)[] = []
  const userIds = new Set<string>()
  for (const { own, table } of ordering) {
    const schema = query.rows.tables[table]
    const ids = groups.flatMap(({ firsts }) => firsts[table]?.id ?? [])
    const samples = schema && (await readSamples(tx, schema, [...new Set(ids)], [own]))
    if (!samples) return undefined
    noteUsers(own, samples.values(), userIds)
    cells.push(({ firsts }) => {
      const sample = samples.get(firsts[table]?.id ?? '')
      return sample ? cellOf(own, sample) : null
    })
  }
  const people = await findPeople(tx, userIds)
  return groups.map((group) =>
    keys.map((key, index) =>
      sortValuesOf(key, cells[index]?.(group) ?? null, people, sortTextLength(key, keys)),
    ),
  )
}
