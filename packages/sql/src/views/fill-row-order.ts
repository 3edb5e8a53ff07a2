import { assert } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { OrderStep } from '@gateleg/domain/views/row-order-repository'
import { type RawBuilder, sql } from 'kysely'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import type { SqlSession } from '../core/session.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { orderColumns, orderTable } from '../record-tables/row-order-table.ts'
import { type Ordering, recordsInOrder } from './records-in-order.ts'
import { placesMax, SortedNumbers } from './sorted-numbers.ts'

/** All places by one statement, which looks for itself how records stand. */
class AllPlaces implements OrderStep {
  readonly ofStorage: { readonly schema: TableSchema; readonly order: Ordering }

  constructor(schema: TableSchema, order: Ordering) {
    this.ofStorage = { schema, order }
  }
}

/** The places of some records, which follow one another by number. */
class SomePlaces implements OrderStep {
  readonly ofStorage: { readonly numbers: SortedNumbers; readonly start: number }

  constructor(numbers: SortedNumbers, start: number) {
    this.ofStorage = { numbers, start }
  }
}

const { autoNumber, position, movedVersion } = orderColumns
const columns = Object.values(orderColumns)
const number = sql.id(autoNumber.name)

/** How many records there are, and their numbers as they stand, with commas between. */
interface Found {
  readonly found: number | string
  readonly numbers: string | null
}

/** The steps in which the places of all records of a table are noted: see `RowOrderReader`. */
export async function orderSteps(
  session: SqlSession,
  schema: TableSchema,
  order: Ordering,
): Promise<readonly OrderStep[]> {
  if (session.dialect.tables.fillsBesideOthers) return [new AllPlaces(schema, order)]
  const { from, number: n, ordered } = recordsInOrder(schema, order, session.dialect)
  const joined = session.dialect.lists.join(sql`n`)
  const [row] = await session.allOnce(
    sql<Found>`select count(*) as found, ${joined} as numbers from (select ${n} as n from ${from} order by ${ordered}) as t`,
  )
  const count = Number(row?.found ?? 0)
  const numbers = await SortedNumbers.from(row?.numbers ?? '', count, session.giveWay)
  const perStep = limits.placesNotedAtOnce
  return Array.from(
    { length: Math.ceil(count / perStep) },
    (_, index) => new SomePlaces(numbers, index * perStep),
  )
}

/** Takes a step of filling the order's table. */
export async function takeOrderStep(
  session: SqlSession,
  { baseId, orderId }: { readonly baseId: string; readonly orderId: string },
  step: OrderStep,
): Promise<void> {
  const table = orderTable(session.dialect, baseId, orderId)
  if (step instanceof SomePlaces) {
    const { numbers, start } = step.ofStorage
    const list = sql`${numbers.withPlaces(start, limits.placesNotedAtOnce)}`
    const both = sql`cast(i.value as bigint)`
    const places = sql`select ${both} / ${sql.lit(placesMax)}, ${both} % ${sql.lit(placesMax)}, 0 from ${session.dialect.lists.items(list, 'i')} where true`
    await session.runOnce(
      sql`insert into ${table} (${nameList(columns)}) ${places} on conflict (${number}) do nothing`,
    )
    return
  }
  assert(step instanceof AllPlaces, 'a step is one of this storage')
  const { schema, order } = step.ofStorage
  const { from, number: n, ordered } = recordsInOrder(schema, order, session.dialect)
  const typeOf = ({ type }: TypedColumn) => sql.raw(session.dialect.tables.columnTypes[type])
  const place = sql`row_number() over (order by ${ordered})`
  const cells = [
    { column: autoNumber, value: n },
    { column: position, value: place },
  ].map(({ column, value }) => sql`cast(${value} as ${typeOf(column)}) as ${sql.id(column.name)}`)
  // Rows are read and sorted by several processes for a new table, and by one where they are added to a table.
  await session.define(sql`drop table ${table}`)
  await session.runOnce(sql`create table ${table} as select ${sql.join(cells)} from ${from}`)
  // The same in all rows, it is written down once.
  const moved = sql`${sql.id(movedVersion.name)} ${typeOf(movedVersion)} not null default 0`
  await session.define(sql`alter table ${table} add column ${moved}`)
  const filled = [autoNumber, position].map(
    ({ name }) => sql`alter column ${sql.id(name)} set not null`,
  )
  const key = sql`add ${orderKey(orderId)}`
  await session.define(sql`alter table ${table} ${sql.join([...filled, key])}`)
}

/** The primary key of an order's table, as a constraint. */
export function orderKey(orderId: string): RawBuilder<unknown> {
  return sql`constraint ${sql.id(`${orderId}_pk`)} primary key (${number})`
}
