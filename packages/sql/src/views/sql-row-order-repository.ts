import type { RowOrder } from '@gateleg/domain/queries/row-order'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type {
  NotedPlace,
  OrderPart,
  OrderStep,
  RowOrderRepository,
  RowPlace,
} from '@gateleg/domain/views/row-order-repository'
import { type RawBuilder, sql } from 'kysely'
import { Place } from '../core/dialect/place.ts'
import type { SqlSession } from '../core/session.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { inChunks } from '../core/statements/in-chunks.ts'
import { StatementTexts } from '../core/statements/statement-texts.ts'
import {
  orderColumns,
  orderTable,
  orderTableName,
  walkInOrder,
} from '../record-tables/row-order-table.ts'
import { orderKey, orderSteps, takeOrderStep } from './fill-row-order.ts'
import { type Ordering, recordsInOrder } from './records-in-order.ts'

const { autoNumber, position, movedVersion } = orderColumns
const columns = [autoNumber, position, movedVersion] as const
const number = sql.id(autoNumber.name)

/** Keeps each row order in a table of its own, beside the table whose records it orders. */
export class SqlRowOrderRepository implements RowOrderRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async exists(baseId: string, orderId: string): Promise<boolean> {
    const { tables } = this.#session.dialect
    const names = await this.#session.allOnce(tables.columns(baseId, orderTableName(orderId)))
    return names.length > 0
  }

  async create(baseId: string, orderId: string): Promise<void> {
    await this.#createTable(baseId, orderId)
    await this.#createIndex(baseId, orderId)
  }

  async begin(baseId: string, orderId: string, records: number): Promise<void> {
    await this.#createTable(baseId, orderId)
    // Where writers wait for that, they don't wait for long.
    if (records > this.#session.dialect.tables.indexes.recordsMax) {
      await this.#createIndex(baseId, orderId)
    }
  }

  steps(schema: TableSchema, order: Ordering) {
    return orderSteps(this.#session, schema, order)
  }

  take(baseId: string, orderId: string, step: OrderStep): Promise<void> {
    return takeOrderStep(this.#session, { baseId, orderId }, step)
  }

  finish(baseId: string, orderId: string): Promise<void> {
    return this.#createIndex(baseId, orderId)
  }

  async #createTable(baseId: string, orderId: string): Promise<void> {
    const { columnTypes } = this.#session.dialect.tables
    const table = this.#table(baseId, orderId)
    const definitions = columns.map(
      ({ name, type }) => sql`${sql.id(name)} ${sql.raw(columnTypes[type])} not null`,
    )
    await this.#session.define(
      sql`create table ${table} (${sql.join([...definitions, orderKey(orderId)])})`,
    )
  }

  /** Makes the index by place, where it isn't there. */
  async #createIndex(baseId: string, orderId: string): Promise<void> {
    const table = this.#table(baseId, orderId)
    const indexed = nameList([position, autoNumber])
    await this.#session.define(
      sql`create index if not exists ${sql.id(`${orderId}_position`)} on ${table} (${indexed})`,
    )
  }

  async notedOf(baseId: string, orderId: string, autoNumbers: readonly number[]) {
    const text = this.#texts(baseId, orderId).of('noted of', () => {
      const isAsked = this.#session.dialect.lists.includes(new Place(), autoNumber)
      return sql`select ${nameList(columns)} from ${this.#table(baseId, orderId)} where ${isAsked}`
    })
    const rows = await this.#session.connection.rows(text, [autoNumbers])
    return new Map(
      rows.map(([of, place, version]): [number, NotedPlace] => [
        Number(of),
        { position: Number(place), movedVersion: Number(version) },
      ]),
    )
  }

  async isByNumber(baseId: string, orderId: string): Promise<boolean> {
    const text = this.#texts(baseId, orderId).of('by number', () => {
      const [place, own] = [sql.id(position.name), number]
      return sql`select 1 from ${this.#table(baseId, orderId)} where ${place} <> ${own} limit 1`
    })
    return (await this.#session.connection.rows(text, [])).length === 0
  }

  async near(
    schema: TableSchema,
    order: RowOrder,
    from: RowPlace,
    side: 'before' | 'after',
    take: number,
  ): Promise<readonly RowPlace[]> {
    const walk = { order, from, side, where: sql`1 = 1`, take, skip: 0 }
    const rows = await this.#rows(walkInOrder(schema, walk, this.#session.dialect))
    return rows.map(([of, place]) => ({ autoNumber: Number(of), position: Number(place) }))
  }

  async sorted(
    schema: TableSchema,
    order: Ordering,
    perPart: number,
  ): Promise<readonly OrderPart[]> {
    const { dialect } = this.#session
    const { from, number: n, ordered } = recordsInOrder(schema, order, dialect)
    const ranked = sql`select ${n} as n, row_number() over (order by ${ordered}) as r from ${from}`
    const part = sql`(r - 1) / ${sql.lit(perPart)}`
    const numbers = dialect.lists.collect(sql`cast(n as text)`, sql`r`)
    const rows = await this.#rows(
      sql`select ${numbers}, ${part} as part from (${ranked}) as ranked group by ${part} order by ${part}`,
    )
    return rows.map(([list]) => (typeof list === 'string' ? list : JSON.stringify(list)))
  }

  async append(baseId: string, orderId: string, part: OrderPart, after: number): Promise<void> {
    const { queries, lists } = this.#session.dialect
    const list = sql`${part}`
    const place = sql`row_number() over (order by i.key) + ${queries.given(after, 'REAL')}`
    const values = sql`select cast(i.value as bigint), ${place}, 0 from ${lists.items(list, 'i')} where true`
    await this.#session.runOnce(
      sql`insert into ${this.#table(baseId, orderId)} (${nameList(columns)}) ${values} on conflict (${number}) do nothing`,
    )
  }

  move(baseId: string, orderId: string, places: readonly RowPlace[], version: number) {
    return this.#put(baseId, orderId, places, version, [position, movedVersion])
  }

  renumber(baseId: string, orderId: string, places: readonly RowPlace[]) {
    return this.#put(baseId, orderId, places, 0, [position])
  }

  async removeSome(baseId: string, orderId: string, most: number): Promise<boolean> {
    if (!(await this.exists(baseId, orderId))) return false
    const table = this.#table(baseId, orderId)
    if (this.#session.dialect.tables.dropsRowByRow) {
      const some = sql`select ${number} from ${table} order by ${number} limit ${most}`
      const removed = await this.#session.runOnce(
        sql`delete from ${table} where ${number} in (${some})`,
      )
      if (removed === most) return true
    }
    await this.#session.define(sql`drop table ${table}`)
    return false
  }

  /** Notes places; of a record of which something is noted, what the replaced columns say. */
  async #put(
    baseId: string,
    orderId: string,
    places: readonly RowPlace[],
    version: number,
    replaced: readonly { readonly name: string }[],
  ): Promise<void> {
    const { connection, dialect } = this.#session
    const texts = this.#texts(baseId, orderId)
    await inChunks(dialect, places, columns.length, async (chunk) => {
      const key = `put ${replaced.length} ${dialect.rows.shape(chunk.length)}`
      const text = texts.of(key, () => {
        const changes = replaced.map(({ name }) => sql`${sql.id(name)} = excluded.${sql.id(name)}`)
        const values = sql`select ${nameList(columns)} from ${dialect.rows.table('v', columns, chunk.length)}`
        return sql`insert into ${this.#table(baseId, orderId)} (${nameList(columns)}) ${values} where true on conflict (${number}) do update set ${sql.join(changes)}`
      })
      const rows = chunk.map((place) => [place.autoNumber, place.position, version])
      await connection.run(text, dialect.rows.bind(columns, rows))
    })
  }

  #table(baseId: string, orderId: string): RawBuilder<unknown> {
    return orderTable(this.#session.dialect, baseId, orderId)
  }

  /** An order is told from all others by its id, which is never used again. */
  #texts(baseId: string, orderId: string): StatementTexts {
    return new StatementTexts(this.#session.dialect, `order ${baseId} ${orderId}`)
  }

  #rows(statement: RawBuilder<unknown>) {
    const { sql: text, parameters } = statement.compile(this.#session.db)
    return this.#session.connection.rows(text, parameters)
  }
}
