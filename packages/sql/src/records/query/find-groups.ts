import type {
  FoundGroup,
  Grouping,
  Measure,
  RecordGrouping,
} from '@gateleg/domain/records/reading/record-finder'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { systemColumns } from '../../record-tables/system-columns.ts'
import { type Identity, identityOf, toIdentity } from '../expressions/group-sql.ts'
import {
  isOfAllItems,
  itemsMeasured,
  type MeasuredRows,
  measureSql,
  toMeasured,
} from '../expressions/measure-sql.ts'

type Row = readonly unknown[]

/** Runs a statement. */
export type ReadRows = (statement: RawBuilder<unknown>) => Promise<readonly Row[]>

/** A group as it was read: what stands for its first records, and what was measured of it. */
interface MeasuredGroup extends Omit<FoundGroup, 'firstId'> {
  readonly firsts: readonly unknown[]
}

/** How groups tell their first records. */
interface FirstRecords {
  /** What is the least in a group, of the table as `t`. */
  readonly least: readonly RawBuilder<unknown>[]
  /** How many columns stand for it in the statement. */
  readonly columns: number
  /** The statement, of the groups as a table with columns in turn: identities, the least ones, the count, the measures. */
  readonly statement: (groups: RawBuilder<unknown>, columns: number) => RawBuilder<unknown>
}

/**
 * The groups of the rows by the fields, so many at most, measured each by itself. Where there are that many, the passes
 * over the items of lists are spared, and nothing is told of what was measured.
 */
export async function findGroups(
  read: ReadRows,
  dialect: SqlDialect,
  rows: MeasuredRows,
  grouping: RecordGrouping,
): Promise<readonly FoundGroup[]> {
  const found = await measureGroups(
    read,
    dialect,
    rows,
    grouping,
    grouping.withFirsts ? firstIds(rows, grouping.fields.length) : noFirsts,
  )
  return found.map(({ firsts, ...group }) => ({
    ...group,
    firstId: firsts[0] as string | undefined,
  }))
}

/** The groups as they are found: nothing beside them is the least expensive to ask for. */
const noFirsts: FirstRecords = { least: [], columns: 0, statement: (groups) => groups }

/** The id of the first record of each group, in whose order they are then; in the column at the place. */
function firstIds(rows: MeasuredRows, place: number): FirstRecords {
  const number = sql.id(systemColumns.autoNumber.name)
  const id = sql`r.${sql.id(systemColumns.id.name)}`
  return {
    least: [sql`min(t.${number})`],
    columns: 1,
    // Not every engine lets a group tell the id that stands beside the least number.
    statement: (groups, columns) => {
      const selected = columnsOf(columns).map((column, index) => (index === place ? id : column))
      const first = columnOf(place)
      return sql`select ${sql.join(selected)} from (${groups}) as g join ${rows.table} as r on r.${number} = ${first} order by ${first}`
    },
  }
}

/** Counts the groups and measures them, with what else is told of the first records of each. All rows are one group without fields. */
export async function measureGroups(
  read: ReadRows,
  dialect: SqlDialect,
  rows: MeasuredRows,
  { fields, measures, most }: Grouping,
  first: FirstRecords,
): Promise<readonly MeasuredGroup[]> {
  const identities = fields.map((field) => identityOf(field, dialect))
  const inPass = measures.filter((measure) => !isOfAllItems(measure))
  const values = [
    ...identities.map(({ value }) => value),
    ...first.least,
    sql`count(*)`,
    ...inPass.map((measure) => measureSql(measure, dialect, rows)),
  ]
  const named = values.map((value, index) => sql`${value} as ${sql.id(`g${index}`)}`)
  const groups = sql`select ${sql.join(named)} from ${rows.table} as t where ${rows.where}${groupBy(identities)} limit ${most}`
  const found = await read(first.statement(groups, values.length))
  const counted = fields.length + first.columns
  const places = new Map(inPass.map((measure, index) => [measure, counted + 1 + index]))
  const toGroup = (row: Row): MeasuredGroup => ({
    identities: identities.map((identity, index) => toIdentity(row[index], identity)),
    firsts: row.slice(fields.length, counted),
    records: Number(row[counted]),
    measured: [],
  })
  if (found.length >= most) return found.map(toGroup)
  const ofItems = new Map<Measure, ReadonlyMap<string, unknown>>()
  for (const measure of measures.filter(isOfAllItems)) {
    const values = await read(itemsSql(identities, measure, most, dialect, rows))
    const byGroup = values.map((row) => [keyOf(identities, row), row[fields.length]] as const)
    ofItems.set(measure, new Map(byGroup))
  }
  return found.map((row) => {
    const key = keyOf(identities, row)
    const measuredAs = (measure: Measure) =>
      isOfAllItems(measure) ? ofItems.get(measure)?.get(key) : row[places.get(measure) ?? -1]
    const measured = measures.map((measure) =>
      toMeasured(measure.field, measure.kind, measuredAs(measure)),
    )
    return { ...toGroup(row), measured }
  })
}

/** A column of the groups as `g`. */
export function columnOf(index: number): RawBuilder<unknown> {
  return sql.ref(`g.g${index}`)
}

/** The first columns of the groups as `g`. */
export function columnsOf(count: number): readonly RawBuilder<unknown>[] {
  return Array.from({ length: count }, (_, index) => columnOf(index))
}

/** Tells the groups of one answer apart. */
function keyOf(identities: readonly Identity[], row: Row): string {
  return JSON.stringify(identities.map((identity, index) => toIdentity(row[index], identity)))
}

/** A row for each group that has items: its identities, and the measure of the items of all its lists together. */
function itemsSql(
  identities: readonly Identity[],
  measure: Measure,
  most: number,
  dialect: SqlDialect,
  rows: MeasuredRows,
): RawBuilder<unknown> {
  const values = identities.map(({ value }) => value)
  const { table, aggregate } = itemsMeasured(measure, dialect)
  return sql`select ${sql.join([...values, aggregate])} from ${rows.table} as t cross join ${table} where ${rows.where}${groupBy(identities)} limit ${most}`
}

/** By the first columns, by their places: their names could be those of the table, and what they are is long. */
function groupBy(identities: readonly Identity[]): RawBuilder<unknown> {
  if (identities.length === 0) return sql``
  return sql` group by ${sql.join(identities.map((_, index) => sql.lit(index + 1)))}`
}
