import type { ChartFinder, FoundChartGroup } from '@gateleg/domain/charts/chart-finder'
import type { ChartRows } from '@gateleg/domain/charts/chart-query'
import { limits } from '@gateleg/domain/limits'
import type { Condition } from '@gateleg/domain/queries/condition'
import type { SortKey } from '@gateleg/domain/queries/sort-keys'
import type { Grouping } from '@gateleg/domain/records/reading/record-finder'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlSession } from '../core/session.ts'
import { recordTableOf } from '../record-tables/record-table.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import type { MeasuredRows } from '../records/expressions/measure-sql.ts'
import { orderSql, queryTerms } from '../records/expressions/sort-sql.ts'
import { conditionSql } from '../records/query/condition-sql.ts'
import { columnOf, columnsOf, measureGroups } from '../records/query/find-groups.ts'
import { bytesSql, countsSql, rowsSql } from './rows-sql.ts'

/** What a group has of each table: the number of its first record, and its id. */
const columnsPerTable = 2

export class SqlChartFinder implements ChartFinder {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async hasAtMost(rows: ChartRows, most: number): Promise<boolean> {
    for (const statement of countsSql(rows, most + 1, this.#session.dialect)) {
      const [counts = []] = await this.#rows(statement)
      if (counts.some((count) => Number(count) > most)) return false
    }
    return true
  }

  async bytesOf(rows: ChartRows, looks: ReadonlyMap<SchemaField, number>): Promise<number> {
    const statement = bytesSql(rows, looks, limits.chartJoinedRows + 1, this.#session.dialect)
    const [row] = statement ? await this.#rows(statement) : []
    return Number(row?.[0] ?? 0)
  }

  async find(
    rows: ChartRows,
    { condition, keys }: { readonly condition: Condition; readonly keys: readonly SortKey[] },
    { skip, take }: { readonly skip: number; readonly take: number },
  ) {
    const { table, where } = this.#meeting(rows, condition)
    const terms = queryTerms({ keys }, this.#session.dialect)
    const names = terms.map((_, index) => sql.id(`s${index}`))
    const selected = [
      ...rows.tables.map((_, index) => sql.ref(`t.r${index}`)),
      ...terms.map(({ value }, index) => sql`${value} as ${names[index]}`),
    ]
    const numbers = rows.tables.map((_, index) => sql`${sql.ref(`t.n${index}`)} asc nulls first`)
    const order = orderSql(terms, names, sql.join(numbers))
    const found = await this.#rows(
      sql`select ${sql.join(selected)} from ${table} as t where ${where} order by ${order} limit ${take} offset ${skip}`,
    )
    return found.map((row) => row.slice(0, rows.tables.length) as (string | null)[])
  }

  async groups(
    rows: ChartRows,
    condition: Condition,
    grouping: Grouping,
  ): Promise<readonly FoundChartGroup[]> {
    const { dialect } = this.#session
    const read = (statement: RawBuilder<unknown>) => this.#rows(statement)
    const meeting = this.#meeting(rows, condition)
    const found = await measureGroups(read, dialect, meeting, grouping, {
      least: rows.tables.map((_, index) => sql`min(${sql.ref(`t.n${index}`)})`),
      columns: rows.tables.length * columnsPerTable,
      statement: (groups, columns) => this.#withIds(rows, groups, grouping.fields.length, columns),
    })
    return found.map(({ firsts, records, measured }) => ({
      firsts: rows.tables.map((_, index) => {
        const [autoNumber, id] = firsts.slice(index * columnsPerTable)
        return id ? { id: id as string, autoNumber: Number(autoNumber) } : null
      }),
      records,
      measured,
    }))
  }

  /** The groups, with the ids of their first records beside the numbers, which begin at a place. */
  #withIds(rows: ChartRows, groups: RawBuilder<unknown>, place: number, columns: number) {
    const all = columnsOf(columns)
    const { id, autoNumber } = systemColumns
    const ofTables = rows.tables.flatMap((_, index) => [
      columnOf(place + index),
      sql.ref(`x${index}.${id.name}`),
    ])
    const selected = [...all.slice(0, place), ...ofTables, ...all.slice(place + rows.tables.length)]
    const joined = rows.tables.map((schema, index) => {
      const { name } = recordTableOf(schema, this.#session.dialect)
      return sql`left join ${name} as ${sql.id(`x${index}`)} on ${sql.ref(`x${index}.${autoNumber.name}`)} = ${columnOf(place + index)}`
    })
    return sql`select ${sql.join(selected)} from (${groups}) as g ${sql.join(joined, sql` `)}`
  }

  /** The rows that the condition holds for, as `t`. */
  #meeting(rows: ChartRows, condition: Condition): MeasuredRows {
    const { dialect } = this.#session
    const table = rowsSql(rows, limits.chartJoinedRows + 1, dialect)
    return { table, where: conditionSql(condition, dialect) }
  }

  #rows(statement: RawBuilder<unknown>) {
    const { sql: text, parameters } = statement.compile(this.#session.db)
    return this.#session.connection.rows(text, parameters)
  }
}
