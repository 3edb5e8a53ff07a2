import type { Condition } from '@gateleg/domain/queries/condition'
import type {
  PlacedHit,
  QueryPage,
  QueryPosition,
  RecordQuery,
} from '@gateleg/domain/queries/record-query'
import type { Search } from '@gateleg/domain/queries/search'
import type {
  Calendar,
  HitPage,
  Measure,
  PageRecord,
  RecordFinder,
  RecordGrouping,
} from '@gateleg/domain/records/reading/record-finder'
import type { Column, SchemaField, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlSession } from '../../core/session.ts'
import type { IndexDemands } from '../../index-demand/index-demand.ts'
import { isLiving } from '../../record-tables/is-living.ts'
import { recordTableOf } from '../../record-tables/record-table.ts'
import { withNotedPlaces } from '../../record-tables/row-order-table.ts'
import { systemColumns } from '../../record-tables/system-columns.ts'
import { candidatesSql } from '../../signatures/candidates-sql.ts'
import { bytesTestedSql } from '../expressions/bytes-tested-sql.ts'
import { measureSql, toMeasured } from '../expressions/measure-sql.ts'
import { showsSql } from '../expressions/shown-text-sql.ts'
import { afterSql, queryTerms } from '../expressions/sort-sql.ts'
import { findGroups } from './find-groups.ts'
import { hitsSql, toHits } from './hits-sql.ts'
import { PageFinder } from './page-finder.ts'
import { rowsMeeting } from './rows-meeting.ts'
import { findSpans } from './spans-sql.ts'
import { userIdsSql } from './user-ids-sql.ts'
import { wishIndexes } from './wish-indexes.ts'

export class SqlRecordFinder implements RecordFinder {
  readonly #session: SqlSession
  readonly #demand: IndexDemands
  readonly #pages: PageFinder

  constructor(session: SqlSession, demand: IndexDemands) {
    this.#session = session
    this.#demand = demand
    this.#pages = new PageFinder(session, demand)
  }

  find(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
    columns?: readonly Column[],
  ): Promise<readonly PageRecord[]> {
    return this.#pages.find({ schema, query, page, columns })
  }

  findWithinReach(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
    columns?: readonly Column[],
  ): Promise<readonly PageRecord[] | undefined> {
    return this.#pages.findWithinReach({ schema, query, page, columns })
  }

  async bytesTested(schema: TableSchema, condition: Condition): Promise<number> {
    const { dialect } = this.#session
    const looked = bytesTestedSql(condition, dialect)
    if (!looked) return 0
    const { name } = recordTableOf(schema, dialect)
    return this.#sumOf(sql`select ${looked} as bytes from ${name} as t where ${isLiving}`)
  }

  async #sumOf(lengths: RawBuilder<unknown>): Promise<number> {
    const [row] = await this.#rows(sql`select sum(bytes) from (${lengths}) as p`)
    return Number(row?.[0] ?? 0)
  }

  async countBefore(
    schema: TableSchema,
    query: RecordQuery,
    position: QueryPosition,
  ): Promise<number> {
    const { dialect } = this.#session
    const table = withNotedPlaces(schema, query.rowOrder, dialect)
    const isAfter = afterSql(queryTerms(query, dialect), position, dialect)
    const isAt = sql`t.${sql.id(systemColumns.autoNumber.name)} = ${position.autoNumber}`
    const { where: meets } = await rowsMeeting(this.#session, this.#demand, schema, query.condition)
    const where = sql`${meets} and ${dialect.queries.isNotTrue(isAfter)} and not ${isAt}`
    const [row] = await this.#rows(sql`select count(*) from ${table} where ${where}`)
    return Number(row?.[0])
  }

  async measure(schema: TableSchema, condition: Condition, measures: readonly Measure[]) {
    const { dialect } = this.#session
    wishIndexes(this.#demand, dialect, schema, { condition })
    const rows = await rowsMeeting(this.#session, this.#demand, schema, condition)
    const values = measures.map((measure) => measureSql(measure, dialect, rows))
    const [row = []] = await this.#rows(
      sql`select ${sql.join([sql`count(*)`, ...values])} from ${rows.table} as t where ${rows.where}`,
    )
    const measured = measures.map(({ field, kind }, index) =>
      toMeasured(field, kind, row[index + 1]),
    )
    return { records: Number(row[0]), measured }
  }

  async userIds(schema: TableSchema, condition: Condition, field: SchemaField, most: number) {
    const rows = await rowsMeeting(this.#session, this.#demand, schema, condition)
    const statement = userIdsSql(field, rows, most, this.#session.dialect)
    if (!statement) return []
    return (await this.#rows(statement)).map(([userId]) => userId as string)
  }

  async groups(schema: TableSchema, condition: Condition, grouping: RecordGrouping) {
    const { dialect } = this.#session
    wishIndexes(this.#demand, dialect, schema, { condition, groupFields: grouping.fields })
    const rows = await rowsMeeting(this.#session, this.#demand, schema, condition)
    return findGroups((statement) => this.#rows(statement), this.#session.dialect, rows, grouping)
  }

  async spans(schema: TableSchema, condition: Condition, calendar: Calendar) {
    const rows = await rowsMeeting(this.#session, this.#demand, schema, condition)
    return findSpans((statement) => this.#rows(statement), this.#session.dialect, rows, calendar)
  }

  async count(schema: TableSchema, condition: Condition): Promise<number> {
    return (await this.measure(schema, condition, [])).records
  }

  async countHits(schema: TableSchema, condition: Condition, search: Search) {
    const { fields, text } = search
    if (fields.length === 0) return 0
    const { dialect } = this.#session
    const counts = fields.map(
      (field) => sql`count(case when ${showsSql(field, text, dialect)} then 1 end)`,
    )
    const { table, where } = await rowsMeeting(
      this.#session,
      this.#demand,
      schema,
      condition,
      search,
    )
    const [row = []] = await this.#rows(
      sql`select ${sql.join(counts)} from ${table} as t where ${where}`,
    )
    return row.reduce((sum: number, count) => sum + Number(count), 0)
  }

  async findHits(
    schema: TableSchema,
    query: RecordQuery,
    search: Search,
    page: HitPage,
  ): Promise<readonly PlacedHit[]> {
    if (search.fields.length === 0) return []
    const { dialect } = this.#session
    const table = withNotedPlaces(schema, query.rowOrder, dialect)
    const isCandidate = await candidatesSql(this.#session, this.#demand, schema, search)
    const rows = await this.#rows(hitsSql(table, query, { ...search, isCandidate }, page, dialect))
    return toHits(rows, search, page)
  }

  #rows(statement: RawBuilder<unknown>) {
    const { sql: text, parameters } = statement.compile(this.#session.db)
    return this.#session.connection.rows(text, parameters)
  }
}
