import { limits } from '@gateleg/domain/limits'
import type { Condition } from '@gateleg/domain/queries/condition'
import type { QueryPage } from '@gateleg/domain/queries/record-query'
import type { RowOrder } from '@gateleg/domain/queries/row-order'
import type { PageRecord } from '@gateleg/domain/records/reading/record-finder'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
import { type RawBuilder, sql } from 'kysely'
import type { SqlSession } from '../../core/session.ts'
import type { IndexDemands } from '../../index-demand/index-demand.ts'
import { isOrderedAsIs, sortIndexKey } from '../../index-demand/wanted-keys.ts'
import { isLiving } from '../../record-tables/is-living.ts'
import { walkInOrder } from '../../record-tables/row-order-table.ts'
import { systemColumns } from '../../record-tables/system-columns.ts'
import { bytesTestedSql } from '../expressions/bytes-tested-sql.ts'
import { afterSql, stepsAfter } from '../expressions/sort-sql.ts'
import { conditionSql } from './condition-sql.ts'
import { type PageAsked, PageRows } from './page-rows.ts'
import { rowsMeeting } from './rows-meeting.ts'
import { wishIndexes } from './wish-indexes.ts'
import { indexedPart, isNear, isOfCells, type Reach, reachOf } from './within-reach.ts'

type Found = readonly PageRecord[]

/** Finds the pages of queries; see RecordFinder. */
export class PageFinder {
  readonly #session: SqlSession
  readonly #demand: IndexDemands

  constructor(session: SqlSession, demand: IndexDemands) {
    this.#session = session
    this.#demand = demand
  }

  async find(asked: PageAsked): Promise<Found> {
    const { schema, query, page } = asked
    const { condition, rowOrder } = query
    if (rowOrder && query.keys.length === 0)
      return this.#walk(schema, { condition, rowOrder }, page)
    this.#wish(asked)
    return this.#along(asked, (rows) => this.#findAll(asked, rows))
  }

  async findWithinReach(asked: PageAsked): Promise<Found | undefined> {
    const { dialect } = this.#session
    const { schema, query, page } = asked
    if (!isNear(page)) return undefined
    const reach = reachOf(schema, query, page, dialect)
    if (reach?.most === 'all') return this.find(asked)
    const found = await this.#along(asked, (rows) => this.#findNear(asked, rows, reach))
    // Where it isn't enough, the query is asked again, and notes it then.
    if (found) this.#wish(asked)
    return found
  }

  /** Finds with the records read along, where columns are named; without where they turn out to be too long for that. */
  async #along<T extends Found | undefined>(
    asked: PageAsked,
    find: (rows: PageRows) => Promise<T>,
  ): Promise<T> {
    const rows = new PageRows(this.#session, asked)
    const found = await find(rows)
    return rows.isCut ? find(rows.alone) : found
  }

  async #findAll({ schema, query, page }: PageAsked, asRead: PageRows): Promise<Found> {
    const { dialect } = this.#session
    const { skip, take } = page
    const { where: meets } = await rowsMeeting(this.#session, this.#demand, schema, query.condition)
    const order = sortIndexKey(query, dialect)
    const isInOrder = order !== undefined && schema.indexKeys.has(order)
    const isWhole =
      !isInOrder && dialect.queries.sortsWhole && !query.rowOrder && query.keys.every(isOrderedAsIs)
    // Each record that is sorted costs a copy of all that is carried along: of few ones that is less than to ask for them by their ids.
    const mayBeMany = this.#session.connection.becomeLong === undefined
    const areSorted = mayBeMany && !isWhole && !isInOrder && query.keys.length > 0
    const rows = asRead.areCarried && areSorted ? asRead.alone : asRead
    const read = (key: string, most: number, isAfter?: () => RawBuilder<unknown>) =>
      rows.read(`${key} ${most}`, ({ table, listed, order, orderByValues }) => {
        const where = isAfter ? sql`${meets} and ${isAfter()}` : meets
        const first = sql`where ${where} order by ${isWhole ? orderByValues : order} limit ${most} offset ${skip}`
        return isWhole
          ? sql`with t as materialized (select * from ${table} ${first}) select ${listed} from t order by ${order}`
          : sql`select ${listed} from ${table} ${first}`
      })
    const { after } = rows
    if (!after) return read('all', take)
    if (!isInOrder || skip > 0)
      return read('all after', take, () => afterSql(rows.terms, after, dialect))
    // Where records lie in the order, each part begins at its place in it; else all would be looked at for each.
    const parts = stepsAfter(rows.terms, after, dialect)
    const readPart = (index: number, most: number) =>
      read(`all of part ${index}`, most, () => parts[index] as RawBuilder<unknown>)
    if (this.#asksAhead && parts.length > 1) {
      const all = await Promise.all(parts.map((_, index) => readPart(index, take)))
      return all.flat().slice(0, take)
    }
    const found: PageRecord[] = []
    for (let index = 0; index < parts.length && found.length < take; index++) {
      found.push(...(await readPart(index, take - found.length)))
    }
    return found
  }

  /** Whether it costs less to ask for what may not be needed than to wait for what tells that. */
  get #asksAhead(): boolean {
    return this.#session.connection.mayReadAhead === true
  }

  /** The page of a query where an index, or what stands first in its order, is enough; first as it was found lately. */
  async #findNear(
    asked: PageAsked,
    rows: PageRows,
    reach: Reach | undefined,
  ): Promise<Found | undefined> {
    const part = indexedPart(asked.schema, asked.query.condition, this.#session.dialect)
    const areFew = part && !asked.query.rowOrder && isOfCells(asked.query.condition)
    const ways: Record<Way, () => Promise<Found | undefined>> = {
      few: async () => (areFew ? this.#findAmongFew(asked, rows, part) : undefined),
      first: async () => reach && this.#findAmongFirst(asked, rows, reach),
    }
    const latest = rows.key === undefined ? undefined : latestWays.get(rows.key)
    for (const way of latest === 'first'
      ? (['first', 'few'] as const)
      : (['few', 'first'] as const)) {
      const found = await ways[way]()
      if (!found) continue
      if (areFew && reach && rows.key !== undefined && way !== latest)
        latestWays.keep(rows.key, way, bytesPerWay + 2 * rows.key.length)
      return found
    }
    return undefined
  }

  /** Where an index finds all records of a part of its condition, and they are few. */
  async #findAmongFew(
    { query: { condition }, page: { skip, take } }: PageAsked,
    rows: PageRows,
    part: Condition,
  ): Promise<Found | undefined> {
    const { dialect } = this.#session
    const most = limits.recordsSortedAtOnce
    const having = ({ table }: PageRows) =>
      sql`from ${table} where ${isLiving} and ${conditionSql(part, dialect)} limit ${sql.lit(most + 1)}`
    // The limit keeps what is found by the index apart: it is not for the planner to go along another one.
    const read = () =>
      rows.read(`few ${most} ${take}`, (about) => {
        const { listed, order, after, terms } = about
        const isAfter = after ? sql` and ${afterSql(terms, after, dialect)}` : sql``
        const rowsHaving = dialect.queries.rowsFound(having(about), about.table)
        return sql`select ${listed} from ${rowsHaving} where ${conditionSql(condition, dialect)}${isAfter} order by ${order} limit ${take} offset ${skip}`
      })
    const looked = bytesTestedSql(condition, dialect)
    const counting = rows.rows(
      `count few ${most}`,
      (about) => sql`select count(*) from (select 1 ${having(about)}) as p`,
    )
    const ahead = this.#asksAhead && !looked ? read() : undefined
    // Where there are too many nobody asks what was read.
    ahead?.catch(() => {})
    const [[count] = []] = await counting
    if (Number(count) > most) return undefined
    if (looked) {
      const [[bytes] = []] = await rows.rows(
        `length of few ${most}`,
        (about) => sql`select sum(bytes) from (select ${looked} as bytes ${having(about)}) as p`,
      )
      if (Number(bytes ?? 0) > limits.bytesTestedAtOnce) return undefined
    }
    return ahead ?? read()
  }

  /** Where those records are enough that stand first in its order. */
  async #findAmongFirst(
    { query: { condition }, page: { skip, take } }: PageAsked,
    rows: PageRows,
    { most, isAlongIndex }: Reach,
  ): Promise<Found | undefined> {
    const { dialect } = this.#session
    const looked = bytesTestedSql(condition, dialect)
    const { after } = rows
    const parts = after ? stepsAfter(rows.terms, after, dialect) : [sql`1 = 1`]
    const firstOf = ({ table, order }: PageRows, index: number) =>
      sql`from ${table} where ${isAlongIndex ? isLiving : sql`1 = 1`} and ${parts[index]} order by ${order}`
    const lists = ({ listedTerms }: PageRows, value: RawBuilder<unknown>) =>
      sql.join([value, ...listedTerms])
    const read = (index: number, wanted: number) =>
      rows.read(`first of ${index} ${most} ${wanted}`, (about) => {
        const isMet = conditionSql(condition, dialect)
        const meets = isAlongIndex ? isMet : sql`${isLiving} and ${isMet}`
        const probed = sql`select ${about.listed}, ${meets} as meets ${firstOf(about, index)} limit ${sql.lit(most)}`
        return sql`select ${about.names} from (${probed}) as p where meets order by ${about.orderOfListed} limit ${wanted} offset ${skip}`
      })
    const hasMore = async (index: number) => {
      const [more] = await rows.rows(
        `more than first of ${index} ${most}`,
        (about) =>
          sql`select ${lists(about, sql`1`)} ${firstOf(about, index)} limit 1 offset ${sql.lit(most)}`,
      )
      return more !== undefined
    }
    const isAhead = this.#asksAhead && !looked && parts.length > 1
    const ahead = isAhead
      ? await Promise.all([hasMore(0), ...parts.map((_, index) => read(index, take))] as const)
      : undefined
    const [hasMoreAhead, ...readAhead] = ahead ?? []
    const found: PageRecord[] = []
    for (let index = 0; index < parts.length; index++) {
      if (looked) {
        const [[bytes] = []] = await rows.rows(`length of first of ${index} ${most}`, (about) => {
          const lengths = sql`select ${lists(about, sql`${looked} as bytes`)} ${firstOf(about, index)} limit ${sql.lit(most)}`
          return sql`select sum(bytes) from (${lengths}) as p`
        })
        if (Number(bytes ?? 0) > limits.bytesTestedAtOnce) return undefined
      }
      const wanted = take - found.length
      const next = readAhead[index]?.slice(0, wanted) ?? (await read(index, wanted))
      found.push(...next)
      if (found.length === take) return found
      const isMore = index === 0 && hasMoreAhead !== undefined ? hasMoreAhead : hasMore(index)
      if (await isMore) return undefined
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

  #wish({ schema, query }: PageAsked): void {
    const { dialect } = this.#session
    const order = sortIndexKey(query, dialect)
    wishIndexes(this.#demand, dialect, schema, { condition: query.condition, order })
  }

  #rows(statement: RawBuilder<unknown>) {
    const { sql: text, parameters } = statement.compile(this.#session.db)
    return this.#session.connection.rows(text, parameters)
  }
}

/** How a page was found without looking at all records. */
type Way = 'few' | 'first'

/** How the page of each query was found lately, where there are two ways: it is the same page, and most likely found so again. */
const latestWays = new WeightedCache<string, Way>(limits.queryWaysBytes)

/** Bytes that it takes to remember one, beside its key. */
const bytesPerWay = 100
