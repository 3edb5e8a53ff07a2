import { type Issue, invalid } from '../errors.ts'
import { fieldsNamedIn } from '../fields/filter.ts'
import { limits } from '../limits.ts'
import { toComparison } from '../queries/compare-fields.ts'
import { always } from '../queries/condition.ts'
import { statisticsOf } from '../queries/statistics.ts'
import { type FilterContext, toCondition } from '../queries/to-condition.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'
import { ChartFields } from './chart-fields.ts'
import {
  type ChartColumn,
  type ChartField,
  type ChartJoin,
  type ChartOrder,
  type ChartQuery,
  type ChartStatistic,
  isSummary,
} from './chart-query.ts'
import type { SavedQuery } from './saved-query.ts'

/** Who asks, when, and where in what was sent or stored the query stands. */
interface ChartAsker extends Pick<FilterContext, 'userId' | 'now'> {
  readonly path: readonly (string | number)[]
}

/**
 * What a saved query asks of its tables: that of `from`, then those that it joins, in turn. Throws validation_error with
 * all that doesn't fit: fields that there are not, statistics that they have not, columns that a row hasn't.
 */
export function toChartQuery(
  saved: SavedQuery,
  tables: readonly TableSchema[],
  asker: ChartAsker,
): ChartQuery {
  const issues: Issue[] = []
  const fields = new ChartFields(tables)
  const reading: Reading = {
    saved,
    tables,
    fields,
    refuse: (path, message) => void issues.push({ path: [...asker.path, ...path], message }),
  }
  const joins = readJoins(reading)
  const groupBy = readGroups(reading)
  const statistics = readStatistics(reading)
  const summary = { groupBy, statistics }
  const order = readOrder(reading, summary)
  const columns = readColumns(reading, summary)
  for (const fieldId of saved.where ? fieldsNamedIn(saved.where) : []) fields.use(fieldId)
  if (issues.length > 0) throw invalid(issues)
  const context = {
    schema: fields,
    fieldKeyType: 'id',
    userId: asker.userId,
    now: asker.now,
  } as const
  const condition = saved.where
    ? toCondition(saved.where, context, [...asker.path, 'where'])
    : always
  const { limit, offset } = saved
  const rows = { tables, joins, fields: fields.used }
  return { rows, condition, ...summary, order, columns, limit, offset }
}

interface Reading {
  readonly saved: SavedQuery
  readonly tables: readonly TableSchema[]
  readonly fields: ChartFields
  readonly refuse: (path: Issue['path'], message: string) => void
}

type Summary = Pick<ChartQuery, 'groupBy' | 'statistics'>

const isGone = 'must be the id of a field of the tables that the query names'

function readJoins({ saved, fields, refuse }: Reading): readonly ChartJoin[] {
  return (saved.join ?? []).flatMap(({ type, on }, index): ChartJoin[] => {
    const path = ['join', index, 'on']
    const named = on.map((fieldId, place) => {
      const field = fields.use(fieldId)
      if (!field) refuse([...path, place], isGone)
      return field
    })
    const own = named.find((field) => field?.table === index + 1)
    const earlier = named.find((field) => field && field.table <= index)
    if (named.includes(undefined)) return []
    if (!own || !earlier) {
      refuse(path, 'must name a field of the table, and one of a table that is named before')
      return []
    }
    const misfit = misfitOf(earlier.own, own.own)
    if (misfit !== undefined) refuse(path, misfit)
    return [{ type, earlier, own }]
  })
}

/** Why two fields can't join tables; undefined where they can. */
function misfitOf(first: SchemaField, second: SchemaField): string | undefined {
  if (first.rules.form.isList || second.rules.form.isList) {
    return 'must name fields whose cells hold one value, not a list'
  }
  const compared = toComparison(first, 'is', second)
  if (typeof compared !== 'string' && compared.kind === 'compared') return undefined
  return 'must name two fields whose cells hold the same: texts, numbers, dates, choices, people or links'
}

function readGroups({ saved, fields, refuse }: Reading): readonly ChartField[] {
  const groups = (saved.groupBy ?? []).flatMap(({ column }, index): ChartField[] => {
    const field = fields.use(column)
    if (field) return [field]
    refuse(['groupBy', index, 'column'], isGone)
    return []
  })
  return [...new Set(groups)]
}

function readStatistics({ saved, fields, refuse }: Reading): readonly ChartStatistic[] {
  const read = new Map<string, ChartStatistic>()
  for (const [index, { column, statisticFunc }] of (saved.aggregation ?? []).entries()) {
    const field = fields.use(column)
    const path = ['aggregation', index]
    if (!field) {
      refuse([...path, 'column'], isGone)
      continue
    }
    const known = statisticsOf(field.own.rules.form)
    const statistic = { field, statistic: statisticFunc }
    if (known.includes(statisticFunc)) read.set(columnOf(statistic), statistic)
    else refuse([...path, 'statisticFunc'], `must be one that the field has: ${known.join(', ')}`)
  }
  return [...read.values()]
}

/** What a statistic is called where columns are named. */
function columnOf({ field, statistic }: ChartStatistic): string {
  return `${field.own.field.id}_${statistic}`
}

/** What columns may be ordered by and selected: which statistic, or which field. */
function findColumn(
  { fields }: Reading,
  summary: Summary,
  { column, type }: { readonly column: string; readonly type: 'field' | 'aggregation' },
): Pick<ChartColumn, 'field' | 'statistic'> | string {
  if (type === 'aggregation') {
    const place = summary.statistics.findIndex((one) => columnOf(one) === column)
    const known = summary.statistics[place]
    if (!known) return 'must be a statistic of the query, named as "<fieldId>_<statisticFunc>"'
    return { field: known.field, statistic: place }
  }
  const field = fields.find(column)
  if (!field) return isGone
  if (isSummary(summary) && !summary.groupBy.some(({ own }) => own === field.own)) {
    return 'must be one of the fields that the query groups by: a row stands for many records'
  }
  return { field, statistic: undefined }
}

function readOrder(reading: Reading, summary: Summary): readonly ChartOrder[] {
  const named = new Set<string>()
  return (reading.saved.orderBy ?? []).flatMap((item, index): ChartOrder[] => {
    const isDescending = item.order === 'desc'
    const found = findColumn(reading, summary, item)
    if (typeof found === 'string') {
      reading.refuse(['orderBy', index, 'column'], found)
      return []
    }
    // What is named again counts where it stands first.
    if (named.has(item.column)) return []
    named.add(item.column)
    if (found.statistic !== undefined) return [{ isDescending, statistic: found.statistic }]
    const field = reading.fields.use(item.column)
    return field ? [{ isDescending, field }] : []
  })
}

function readColumns(reading: Reading, summary: Summary): readonly ChartColumn[] {
  const { saved, refuse } = reading
  if (!saved.select) return allColumns(reading, summary)
  const named = new Map<string, ChartColumn>()
  for (const [index, item] of saved.select.entries()) {
    const { column, alias } = item
    const found = findColumn(reading, summary, item)
    if (typeof found === 'string') refuse(['select', index, 'column'], found)
    else if (!named.has(column)) named.set(column, toColumn({ ...found, column }, alias))
  }
  return [...named.values()]
}

function allColumns({ tables, refuse }: Reading, summary: Summary): readonly ChartColumn[] {
  const { groupBy, statistics } = summary
  const ofFields = isSummary(summary)
    ? groupBy
    : tables.flatMap(({ fields }, table) => fields.map((own) => ({ own, table })))
  if (ofFields.length > limits.chartColumns) {
    refuse(['select'], `must name the columns: the tables have more than ${limits.chartColumns}`)
  }
  return [
    ...ofFields.map((field) =>
      toColumn({ column: field.own.field.id, field, statistic: undefined }),
    ),
    ...statistics.map((one, place) =>
      toColumn({ column: columnOf(one), field: one.field, statistic: place }),
    ),
  ]
}

function toColumn(column: Omit<ChartColumn, 'name'>, alias?: string): ChartColumn {
  const { name } = column.field.own.field
  const suffix = column.column.slice(column.field.own.field.id.length)
  return { ...column, name: alias ?? `${name}${suffix}` }
}
