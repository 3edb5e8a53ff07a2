import type { FoundGroup, Grouping, Measure } from '@gateleg/domain/records/query/record-finder'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { systemColumns } from '../../schemas/system-columns.ts'
import { type Identity, identityOf, toIdentity } from './group-sql.ts'
import {
  isOfAllItems,
  itemsMeasured,
  type MeasuredRows,
  measureSql,
  toMeasured,
} from './measure-sql.ts'

type Row = readonly unknown[]

/** Runs a statement. */
type ReadRows = (statement: RawBuilder<unknown>) => Promise<readonly Row[]>

/**
 * The groups of the rows by the fields, so many at most, measured each by itself. Where there are that many, the passes
 * over the items of lists are spared, and nothing is told of what was measured.
 */
export async function findGroups(
  read: ReadRows,
  dialect: SqlDialect,
  rows: MeasuredRows,
  { fields, measures, most }: Grouping,
): Promise<readonly FoundGroup[]> {
  const identities = fields.map((field) => identityOf(field, dialect))
  const inPass = measures.filter((measure) => !isOfAllItems(measure))
  const found = await read(groupsSql(identities, inPass, most, dialect, rows))
  const places = new Map(inPass.map((measure, index) => [measure, fields.length + 2 + index]))
  const toGroup = (row: Row): FoundGroup => ({
    identities: identities.map((identity, index) => toIdentity(row[index], identity)),
    firstId: row[fields.length] as string,
    records: Number(row[fields.length + 1]),
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

/** Tells the groups of one answer apart. */
function keyOf(identities: readonly Identity[], row: Row): string {
  return JSON.stringify(identities.map((identity, index) => toIdentity(row[index], identity)))
}

/**
 * A row for each group, in the order of their first records: its identities, the id of its first record, how many it
 * has, and the measures.
 */
function groupsSql(
  identities: readonly Identity[],
  measures: readonly Measure[],
  most: number,
  dialect: SqlDialect,
  rows: MeasuredRows,
): RawBuilder<unknown> {
  const values = [
    ...identities.map(({ value }) => value),
    sql`min(t.${sql.id(systemColumns.autoNumber.name)})`,
    sql`count(*)`,
    ...measures.map((measure) => measureSql(measure, dialect, rows)),
  ]
  const named = values.map((value, index) => sql`${value} as ${sql.id(`g${index}`)}`)
  const groups = sql`select ${sql.join(named)} from ${rows.table} as t where ${rows.where} group by ${placesOf(identities)} limit ${most}`
  const places = values.map((_, index) => sql.ref(`g.g${index}`))
  const first = identities.length
  const selected = places.map((place, index) =>
    index === first ? sql`r.${sql.id(systemColumns.id.name)}` : place,
  )
  // Not every engine lets a group tell the id that stands beside the least number.
  return sql`select ${sql.join(selected)} from (${groups}) as g join ${rows.table} as r on r.${sql.id(systemColumns.autoNumber.name)} = ${places[first]} order by ${places[first]}`
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
  return sql`select ${sql.join([...values, aggregate])} from ${rows.table} as t cross join ${table} where ${rows.where} group by ${placesOf(identities)} limit ${most}`
}

/** The first columns by their places: their names could be those of the table, and what they are is long. */
function placesOf(identities: readonly Identity[]): RawBuilder<unknown> {
  return sql.join(identities.map((_, index) => sql.lit(index + 1)))
}
