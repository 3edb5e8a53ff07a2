import { limits } from '@gateleg/domain/limits'
import type { Condition } from '@gateleg/domain/queries/condition'
import type { QueryPage, RecordQuery } from '@gateleg/domain/queries/record-query'
import type { RowOrder } from '@gateleg/domain/queries/row-order'
import type { PageRecord } from '@gateleg/domain/records/query/record-finder'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlSession } from '../../core/session.ts'
import type { IndexDemands } from '../../indexes/index-demand.ts'
import { isOrderedAsIs, sortIndexKey } from '../../indexes/wanted-keys.ts'
import { isLiving, systemColumns } from '../../schemas/system-columns.ts'
import { walkInOrder } from '../../views/row-order-table.ts'
import { bytesTestedSql } from './bytes-tested-sql.ts'
import { conditionSql } from './condition-sql.ts'
import { PageRows } from './page-rows.ts'
import { rowsMeeting } from './rows-meeting.ts'
import { afterSql, stepsAfter } from './sort-sql.ts'
import { wishIndexes } from './wish-indexes.ts'
import { indexedPart, isNear, isOfCells, type Reach, reachOf } from './within-reach.ts'

type Found = readonly PageRecord[]

/** Which page of which query is looked for, and how its rows are read. */
interface Asked {
  readonly schema: TableSchema
  readonly query: RecordQuery
  readonly page: QueryPage
  readonly rows: PageRows
}

/** Finds the pages of queries; see RecordFinder. */
export class PageFinder {
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
    columns?: readonly Column[],
  ): Promise<Found> {
    const { condition, rowOrder } = query
    if (rowOrder && query.keys.length === 0)
      return this.#walk(schema, { condition, rowOrder }, page)
    this.#wish(schema, query)
    const found = await this.#along(schema, query, page, columns, (asked) => this.#findAll(asked))
    return found ?? []
  }

  async findWithinReach(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
    columns?: readonly Column[],
  ): Promise<Found | undefined> {
    if (!isNear(page)) return undefined
    const reach = reachOf(schema, query, page, this.#session.dialect)
    if (reach?.most === 'all') return this.find(schema, query, page, columns)
    const found = await this.#along(
      schema,
      query,
      page,
      columns,
      async (asked) =>
        (await this.#findAmongFew(asked)) ?? (reach && (await this.#findAmongFirst(asked, reach))),
    )
    // Where it isn't enough, the query is asked again, and notes it then.
    if (found) this.#wish(schema, query)
    return found
  }

  /** Finds with the records read along, where columns are named; without where they turn out to be too long for that. */
  async #along<T extends Found | undefined>(
    schema: TableSchema,
    query: RecordQuery,
    page: QueryPage,
    columns: readonly Column[] | undefined,
    find: (asked: Asked) => Promise<T>,
  ): Promise<T> {
    const rows = new PageRows(this.#session, schema, query, columns)
    const found = await find({ schema, query, page, rows })
    if (!rows.isCut) return found
    return find({ schema, query, page, rows: new PageRows(this.#session, schema, query) })
  }

  async #findAll(asked: Asked): Promise<Found> {
    const { dialect } = this.#session
    const { schema, query, page } = asked
    const { after, skip, take } = page
    const { where: meets } = await rowsMeeting(this.#session, this.#demand, schema, query.condition)
    const order = sortIndexKey(query, dialect)
    const isInOrder = order !== undefined && schema.indexKeys.has(order)
    const isWhole = dialect.queries.sortsWhole && !query.rowOrder && query.keys.every(isOrderedAsIs)
    const mayCarry = isWhole || isInOrder || query.keys.length === 0
    const rows =
      asked.rows.areCarried && !mayCarry ? new PageRows(this.#session, schema, query) : asked.rows
    const read = (where: RawBuilder<unknown>, most: number) => {
      const first = sql`where ${where} order by ${isWhole ? rows.orderByValues : rows.order} limit ${most} offset ${skip}`
      return rows.read(
        isWhole
          ? sql`with t as materialized (select * from ${rows.table} ${first}) select ${rows.listed} from t order by ${rows.order}`
          : sql`select ${rows.listed} from ${rows.table} ${first}`,
      )
    }
    if (!after) return read(meets, take)
    // Where records lie in the order, each part begins at its place in it; else all would be looked at for each.
    const parts =
      isInOrder && skip === 0
        ? stepsAfter(rows.terms, after, dialect)
        : [afterSql(rows.terms, after, dialect)]
    return this.#inParts(parts, take, (part, most) => read(sql`${meets} and ${part}`, most))
  }

  /** So many of what is read in parts that follow one another. */
  async #inParts<Part>(
    parts: readonly Part[],
    take: number,
    read: (part: Part, most: number) => Promise<Found>,
  ): Promise<Found> {
    if (this.#asksAhead && parts.length > 1) {
      const all = await Promise.all(parts.map((part) => read(part, take)))
      return all.flat().slice(0, take)
    }
    const found: PageRecord[] = []
    for (const part of parts) {
      if (found.length === take) break
      found.push(...(await read(part, take - found.length)))
    }
    return found
  }

  /** Whether it costs less to ask for what may not be needed than to wait for what tells that. */
  get #asksAhead(): boolean {
    return this.#session.connection.mayReadAhead === true
  }

  /** The page of a query where an index finds all records of a part of its condition, and they are few. */
  async #findAmongFew({ schema, query, page, rows }: Asked): Promise<Found | undefined> {
    const { dialect } = this.#session
    const { condition, rowOrder } = query
    const part = indexedPart(schema, condition, dialect)
    if (!part || rowOrder || !isOfCells(condition)) return undefined
    const { after, skip, take } = page
    const most = limits.recordsSortedAtOnce
    const having = sql`from ${rows.table} where ${isLiving} and ${conditionSql(part, dialect)} limit ${sql.lit(most + 1)}`
    const isAfter = after ? sql` and ${afterSql(rows.terms, after, dialect)}` : sql``
    // The limit keeps what is found by the index apart: it is not for the planner to go along another one.
    const read = () =>
      rows.read(
        sql`select ${rows.listed} from (select * ${having}) as t where ${conditionSql(condition, dialect)}${isAfter} order by ${rows.order} limit ${take} offset ${skip}`,
      )
    const looked = bytesTestedSql(condition, dialect)
    const counting = this.#rows(sql`select count(*) from (select 1 ${having}) as p`)
    const ahead = this.#asksAhead && !looked ? read() : undefined
    // Where there are too many nobody asks what was read.
    ahead?.catch(() => {})
    const [[count] = []] = await counting
    if (Number(count) > most) return undefined
    if (looked) {
      const bytes = await this.#sumOf(sql`select ${looked} as bytes ${having}`)
      if (bytes > limits.bytesTestedAtOnce) return undefined
    }
    return ahead ?? read()
  }

  /** The same where those records are enough that stand first in its order. */
  async #findAmongFirst(
    { schema: _, query, page, rows }: Asked,
    { most, isAlongIndex }: Reach,
  ): Promise<Found | undefined> {
    const { dialect } = this.#session
    const { after, skip, take } = page
    const isMet = conditionSql(query.condition, dialect)
    const [isLooked, meets] = isAlongIndex
      ? [isLiving, isMet]
      : [sql`1 = 1`, sql`${isLiving} and ${isMet}`]
    const looked = bytesTestedSql(query.condition, dialect)
    const firstOf = (part: RawBuilder<unknown>) =>
      sql`from ${rows.table} where ${isLooked} and ${part} order by ${rows.order}`
    const read = (part: RawBuilder<unknown>, wanted: number) => {
      const probed = sql`select ${rows.listed}, ${meets} as meets ${firstOf(part)} limit ${sql.lit(most)}`
      return rows.read(
        sql`select ${rows.names} from (${probed}) as p where meets order by ${rows.orderOfListed} limit ${wanted} offset ${skip}`,
      )
    }
    const lists = (value: RawBuilder<unknown>) => sql.join([value, ...rows.listedTerms])
    const hasMore = async (part: RawBuilder<unknown>) => {
      const [more] = await this.#rows(
        sql`select ${lists(sql`1`)} ${firstOf(part)} limit 1 offset ${sql.lit(most)}`,
      )
      return more !== undefined
    }
    const parts = after ? stepsAfter(rows.terms, after, dialect) : [sql`1 = 1`]
    const ahead = this.#asksAhead && !looked && parts.length > 1
    const readAhead = ahead ? await Promise.all(parts.map((part) => read(part, take))) : undefined
    const found: PageRecord[] = []
    for (const [index, part] of parts.entries()) {
      if (looked) {
        const lengths = sql`select ${lists(sql`${looked} as bytes`)} ${firstOf(part)} limit ${sql.lit(most)}`
        if ((await this.#sumOf(lengths)) > limits.bytesTestedAtOnce) return undefined
      }
      const wanted = take - found.length
      const next = readAhead?.[index]?.slice(0, wanted) ?? (await read(part, wanted))
      found.push(...next)
      if (found.length === take) return found
      if (await hasMore(part)) return undefined
    }
    return found
  }

  /** What a row order alone orders is read along it, not sorted. */
  async #walk(
    schema: TableSchema,
    { condition, rowOrder: order }: { condition: Condition; rowOrder: RowOrder },
    { after, skip, take }: QueryPage,
  ): Promise<Found> {
    const { where } = await rowsMeeting(this.#session, this.#demand, schema, condition)
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

  #wish(schema: TableSchema, query: RecordQuery): void {
    const { dialect } = this.#session
    const order = sortIndexKey(query, dialect)
    wishIndexes(this.#demand, dialect, schema, { condition: query.condition, order })
  }

  async #sumOf(lengths: RawBuilder<unknown>): Promise<number> {
    const [row] = await this.#rows(sql`select sum(bytes) from (${lengths}) as p`)
    return Number(row?.[0] ?? 0)
  }

  #rows(statement: RawBuilder<unknown>) {
    const { sql: text, parameters } = statement.compile(this.#session.db)
    return this.#session.connection.rows(text, parameters)
  }
}
