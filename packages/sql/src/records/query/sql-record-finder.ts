import { limits } from '@gateleg/domain/limits'
import type { Condition } from '@gateleg/domain/queries/condition'
import type {
  FoundRecord,
  PlacedHit,
  QueryPage,
  QueryPosition,
  RecordQuery,
} from '@gateleg/domain/queries/record-query'
import type { RowOrder } from '@gateleg/domain/queries/row-order'
import type { Search } from '@gateleg/domain/queries/search'
import type {
  Calendar,
  Grouping,
  HitPage,
  Measure,
  RecordFinder,
} from '@gateleg/domain/records/query/record-finder'
import type { SchemaField, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlSession } from '../../core/session.ts'
import type { IndexDemands } from '../../indexes/index-demand.ts'
import { isOrderedAsIs, sortIndexKey, valueIndexKeys } from '../../indexes/wanted-keys.ts'
import { isLiving, systemColumns } from '../../schemas/system-columns.ts'
import { candidatesSql, type LookedFor, lookedForIn } from '../../signatures/candidates-sql.ts'
import { walkInOrder, withNotedPlaces } from '../../views/row-order-table.ts'
import { recordTableOf } from '../record-table.ts'
import { bytesTestedSql } from './bytes-tested-sql.ts'
import { conditionSql } from './condition-sql.ts'
import { findGroups } from './find-groups.ts'
import { hitsSql, toHits } from './hits-sql.ts'
import { type MeasuredRows, measureSql, toMeasured } from './measure-sql.ts'
import { showsSql } from './shown-text-sql.ts'
import { afterSql, orderSql, queryTerms, type SortTerm, stepsAfter } from './sort-sql.ts'
import { findSpans } from './spans-sql.ts'
import { userIdsSql } from './user-ids-sql.ts'
import { indexedPart, isNear, isOfCells, type Reach, reachOf } from './within-reach.ts'

export class SqlRecordFinder implements RecordFinder {
  readonly #session: SqlSession
  readonly #demand: IndexDemands

  constructor(session: SqlSession, demand: IndexDemands) {
    this.#session = session
    this.#demand = demand
  }

  async find(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
  ): Promise<readonly FoundRecord[]> {
    const { dialect } = this.#session
    const { condition, rowOrder } = query
    if (rowOrder && query.keys.length === 0)
      return this.#walk(schema, { condition, rowOrder }, page)
    const order = sortIndexKey(query, dialect)
    this.#wish(schema, condition, [], order)
    const { after, skip, take } = page
    const { table, terms, names, selected } = this.#inOrder(schema, query)
    const { where: meets } = await this.#meeting(schema, condition)
    const isWhole = dialect.queries.sortsWhole && !rowOrder && query.keys.every(isOrderedAsIs)
    const read = async (where: RawBuilder<unknown>, most: number) => {
      const values = terms.map(({ value }) => value)
      const first = sql`where ${where} order by ${orderSql(terms, isWhole ? values : names)} limit ${most} offset ${skip}`
      const rows = await this.#rows(
        isWhole
          ? sql`with t as materialized (select * from ${table} ${first}) select ${selected} from t order by ${orderSql(terms, names)}`
          : sql`select ${selected} from ${table} ${first}`,
      )
      return rows.map((row) => toFound(row, terms))
    }
    if (!after) return read(meets, take)
    const isInOrder = order !== undefined && schema.indexKeys.has(order) && skip === 0
    // Where records lie in the order, each part begins at its place in it; else all would be looked at for each.
    const parts = isInOrder ? stepsAfter(terms, after, dialect) : [afterSql(terms, after, dialect)]
    const found: FoundRecord[] = []
    for (const part of parts) {
      if (found.length === take) break
      found.push(...(await read(sql`${meets} and ${part}`, take - found.length)))
    }
    return found
  }

  async findWithinReach(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
  ): Promise<readonly FoundRecord[] | undefined> {
    const { dialect } = this.#session
    if (!isNear(page)) return undefined
    const reach = reachOf(schema, query, page, dialect)
    if (reach?.most === 'all') return this.find(schema, query, page)
    const found =
      (await this.#findAmongFew(schema, query, page)) ??
      (reach && (await this.#findAmongFirst(schema, query, page, reach)))
    // Where it isn't enough, the query is asked again, and notes it then.
    if (found) this.#wish(schema, query.condition, [], sortIndexKey(query, dialect))
    return found
  }

  /** The page of a query where an index finds all records of a part of its condition, and they are few. */
  async #findAmongFew(
    schema: TableSchema,
    query: RecordQuery,
    { after, skip, take }: QueryPage,
  ): Promise<readonly FoundRecord[] | undefined> {
    const { dialect } = this.#session
    const { condition, rowOrder } = query
    const part = indexedPart(schema, condition, dialect)
    if (!part || rowOrder || !isOfCells(condition)) return undefined
    const most = limits.recordsSortedAtOnce
    const { table, terms, names, selected } = this.#inOrder(schema, query)
    const having = sql`from ${table} where ${isLiving} and ${conditionSql(part, dialect)} limit ${most + 1}`
    const [[count] = []] = await this.#rows(sql`select count(*) from (select 1 ${having}) as p`)
    if (Number(count) > most) return undefined
    const looked = bytesTestedSql(condition, dialect)
    if (looked) {
      const bytes = await this.#sumOf(sql`select ${looked} as bytes ${having}`)
      if (bytes > limits.bytesTestedAtOnce) return undefined
    }
    const isAfter = after ? sql` and ${afterSql(terms, after, dialect)}` : sql``
    // The limit keeps what is found by the index apart: it is not for the planner to go along another one.
    const rows = await this.#rows(
      sql`select ${selected} from (select * ${having}) as t where ${conditionSql(condition, dialect)}${isAfter} order by ${orderSql(terms, names)} limit ${take} offset ${skip}`,
    )
    return rows.map((row) => toFound(row, terms))
  }

  /** The same where those records are enough that stand first in its order. */
  async #findAmongFirst(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
    { most, isAlongIndex }: Reach,
  ): Promise<readonly FoundRecord[] | undefined> {
    const { dialect } = this.#session
    const { after, skip, take } = page
    const { table, terms, names, selected } = this.#inOrder(schema, query)
    const isMet = conditionSql(query.condition, dialect)
    const [isLooked, meets] = isAlongIndex
      ? [isLiving, isMet]
      : [sql`1 = 1`, sql`${isLiving} and ${isMet}`]
    const looked = bytesTestedSql(query.condition, dialect)
    const outer = sql`order by ${orderSql(terms, names, sql.id(systemColumns.autoNumber.name))}`
    const found: FoundRecord[] = []
    for (const part of after ? stepsAfter(terms, after, dialect) : [sql`1 = 1`]) {
      const first = sql`from ${table} where ${isLooked} and ${part} order by ${orderSql(terms, names)}`
      if (looked) {
        const lengths = sql`select ${sql.join([sql`${looked} as bytes`, ...termsAs(terms, names)])} ${first} limit ${most}`
        if ((await this.#sumOf(lengths)) > limits.bytesTestedAtOnce) return undefined
      }
      const probed = sql`select ${selected}, ${meets} as meets ${first} limit ${most}`
      const rows = await this.#rows(
        sql`select * from (${probed}) as p where meets ${outer} limit ${take - found.length} offset ${skip}`,
      )
      found.push(...rows.map((row) => toFound(row, terms)))
      if (found.length === take) return found
      const [more] = await this.#rows(
        sql`select ${sql.join([sql`1`, ...termsAs(terms, names)])} ${first} limit 1 offset ${most}`,
      )
      if (more) return undefined
    }
    return found
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
    const { where: meets } = await this.#meeting(schema, query.condition)
    const where = sql`${meets} and (${isAfter}) is not true and not ${isAt}`
    const [row] = await this.#rows(sql`select count(*) from ${table} where ${where}`)
    return Number(row?.[0])
  }

  async measure(schema: TableSchema, condition: Condition, measures: readonly Measure[]) {
    const { dialect } = this.#session
    this.#wish(schema, condition, [])
    const rows = await this.#meeting(schema, condition)
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
    const rows = await this.#meeting(schema, condition)
    const statement = userIdsSql(field, rows, most, this.#session.dialect)
    if (!statement) return []
    return (await this.#rows(statement)).map(([userId]) => userId as string)
  }

  async groups(schema: TableSchema, condition: Condition, grouping: Grouping) {
    this.#wish(schema, condition, grouping.fields)
    const rows = await this.#meeting(schema, condition)
    return findGroups((statement) => this.#rows(statement), this.#session.dialect, rows, grouping)
  }

  async spans(schema: TableSchema, condition: Condition, calendar: Calendar) {
    const rows = await this.#meeting(schema, condition)
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
    const { table, where } = await this.#meeting(schema, condition, search)
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

  /** Notes which indexes would help. What the first of a sort orders by is in its index already. */
  #wish(
    schema: TableSchema,
    condition: Condition,
    groupFields: readonly SchemaField[],
    order?: string,
  ): void {
    const { dialect } = this.#session
    const keys = new Set(valueIndexKeys(condition, groupFields, dialect))
    if (order !== undefined) keys.add(order)
    for (const key of keys) this.#demand.note(schema, key)
  }

  /** The records of a table with what orders them, by names that `order by` may use. */
  #inOrder(schema: TableSchema, query: RecordQuery) {
    const { dialect } = this.#session
    const terms = queryTerms(query, dialect)
    const names = terms.map((_, index) => sql.id(`s${index}`))
    const selected = sql.join([
      sql`t.${sql.id(systemColumns.id.name)}`,
      sql`t.${sql.id(systemColumns.autoNumber.name)}`,
      ...termsAs(terms, names),
    ])
    return { table: withNotedPlaces(schema, query.rowOrder, dialect), terms, names, selected }
  }

  /** What a row order alone orders is read along it, not sorted. */
  async #walk(
    schema: TableSchema,
    { condition, rowOrder: order }: { condition: Condition; rowOrder: RowOrder },
    { after, skip, take }: QueryPage,
  ): Promise<readonly FoundRecord[]> {
    const { where } = await this.#meeting(schema, condition)
    const from = after && {
      autoNumber: after.autoNumber,
      position: after.values[0] as number,
    }
    const selected = [sql`t.${sql.id(systemColumns.id.name)} as id`]
    const walk = { order, from, side: 'after', where, selected, take, skip } as const
    const found = await this.#rows(walkInOrder(schema, walk, this.#session.dialect))
    return found.map(([autoNumber, position, id]) => ({
      id: id as string,
      autoNumber: Number(autoNumber),
      values: [Number(position)],
    }))
  }

  /**
   * The living records of a table that the condition holds for, as `t`; where something is looked for in them, those may
   * be left out that don't show it.
   */
  async #meeting(
    schema: TableSchema,
    condition: Condition,
    search: LookedFor | undefined = lookedForIn(condition),
  ): Promise<MeasuredRows> {
    const { dialect } = this.#session
    const isCandidate = search && (await candidatesSql(this.#session, this.#demand, schema, search))
    const conditions = [
      isLiving,
      ...(isCandidate ? [isCandidate] : []),
      conditionSql(condition, dialect),
    ]
    const where = sql`${sql.join(conditions, sql` and `)}`
    return { table: recordTableOf(schema, dialect).name, where }
  }

  #rows(statement: RawBuilder<unknown>) {
    const { sql: text, parameters } = statement.compile(this.#session.db)
    return this.#session.connection.rows(text, parameters)
  }
}

function termsAs(terms: readonly SortTerm[], names: readonly RawBuilder<unknown>[]) {
  return terms.map(({ value }, index) => sql`${value} as ${names[index]}`)
}

function toFound(row: readonly unknown[], terms: readonly SortTerm[]): FoundRecord {
  const values = terms.map(({ type }, index) => {
    const value = row[index + 2] ?? null
    if (value === null) return null
    return type === 'REAL' ? Number(value) : (value as string)
  })
  return { id: row[0] as string, autoNumber: Number(row[1]), values }
}
