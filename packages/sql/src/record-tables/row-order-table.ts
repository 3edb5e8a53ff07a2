import type { RowOrder } from '@gateleg/domain/queries/row-order'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { RowPlace } from '@gateleg/domain/views/row-order-repository'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import { recordTableOf } from './record-table.ts'
import { systemColumns } from './system-columns.ts'

/** The columns of the table that a row order lies in: the number of a record, its place, and who moved it when. */
export const orderColumns = {
  autoNumber: systemColumns.autoNumber,
  position: { name: '__position', type: 'REAL' },
  movedVersion: { name: '__moved_version', type: 'INTEGER' },
} as const

const number = sql.ref<number>(`o.${orderColumns.autoNumber.name}`)
const position = sql.ref<number>(`o.${orderColumns.position.name}`)
const recordNumber = sql.ref<number>(`t.${systemColumns.autoNumber.name}`)

/** The beginning of the name of a row order's table, before the id of the order. */
export const orderTablePrefix = '__order_'

/** The name of a row order's table. */
export function orderTableName(orderId: string): string {
  return `${orderTablePrefix}${orderId}`
}

/** The table of a row order. It is in the schema of the table that it orders, so that the two can be joined. */
export function orderTable(
  { tables }: SqlDialect,
  baseId: string,
  orderId: string,
): RawBuilder<unknown> {
  return tables.named(baseId, orderTableName(orderId))
}

/** Records as `t`, joined with their stored places as `o` where there is a row order. */
export function withNotedPlaces(
  schema: TableSchema,
  order: RowOrder | undefined,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const { name } = recordTableOf(schema, dialect)
  if (!order) return sql`${name} as t`
  return sql`${name} as t left join ${orderTable(dialect, schema.baseId, order.id)} as o on ${number} = ${recordNumber}`
}

/** The place of a record of `withNotedPlaces`: the stored one, or else its number. */
export const placeOfRecord = sql<number>`coalesce(${position}, ${recordNumber})`

/** Which records are walked through, and how far. */
interface Walk {
  readonly order: RowOrder
  /** Where the walk begins: only what stands beyond it counts. */
  readonly from?: RowPlace | undefined
  readonly side: 'before' | 'after'
  /** What must hold of a record, as `t`. */
  readonly where: RawBuilder<unknown>
  /** What is answered of each as `t`, beside its number and its place. */
  readonly selected?: readonly RawBuilder<unknown>[]
  readonly take: number
  readonly skip: number
}

/**
 * The records on one side of a place, the nearest first: the number and the place of each, and what is selected.
 * Those with a place noted and those without are each read along an index, as far as they are asked for.
 */
export function walkInOrder(
  schema: TableSchema,
  { order, from, side, where, selected = [], take, skip }: Walk,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const { name } = recordTableOf(schema, dialect)
  const noted = orderTable(dialect, schema.baseId, order.id)
  const [direction, beyond] =
    side === 'after' ? [sql.raw('asc'), sql.raw('>')] : [sql.raw('desc'), sql.raw('<')]
  const given = (value: number, type: 'REAL' | 'INTEGER') => dialect.queries.given(value, type)
  const most = take + skip
  const ofNoted = from
    ? sql` and (${position}, ${number}) ${beyond} (${given(from.position, 'REAL')}, ${given(from.autoNumber, 'INTEGER')})`
    : sql``
  // Numbers are whole: compared with a whole one they are found by their index on every engine.
  const isBeyond = (place: number) => sql` and ${recordNumber} ${beyond} ${given(place, 'INTEGER')}`
  const ofOthers = from ? isBeyond(wholeBound(from, side)) : sql``
  const more = selected.length > 0 ? sql`, ${sql.join(selected)}` : sql``
  const first = sql`select ${number} as n, ${position} as p${more} from ${noted} as o cross join ${name} as t where ${recordNumber} = ${number} and ${where}${ofNoted} order by ${position} ${direction}, ${number} ${direction} limit ${most}`
  const second = sql`select ${recordNumber} as n, ${recordNumber} as p${more} from ${name} as t where ${recordNumber} > ${given(order.frozenNumber, 'INTEGER')} and ${where}${ofOthers} and not exists (select 1 from ${noted} as o where ${number} = ${recordNumber}) order by ${recordNumber} ${direction} limit ${most}`
  return sql`select * from (select * from (${first}) as noted union all select * from (${second}) as others) as found order by p ${direction}, n ${direction} limit ${take} offset ${skip}`
}

/** The number beyond which those numbers are that, taken as places, stand beyond a place. */
function wholeBound({ position: at, autoNumber }: RowPlace, side: 'before' | 'after'): number {
  const isTied = Number.isInteger(at)
  if (side === 'after') return isTied && autoNumber < at ? at - 1 : Math.floor(at)
  return isTied && autoNumber > at ? at + 1 : Math.ceil(at)
}
