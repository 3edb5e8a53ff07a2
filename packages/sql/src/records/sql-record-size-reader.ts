import type {
  MeasuredTable,
  RangeEnd,
  RecordSizeReader,
  SizedRange,
} from '@gateleg/domain/records/record-size-reader'
import { type RawBuilder, sql } from 'kysely'
import type { SqlSession } from '../core/session.ts'
import { sumOf } from '../core/sum-of.ts'
import { isLiving, systemColumns } from '../schemas/system-columns.ts'

/** Columns that every table has take about as much in each record: next to nothing. */
const ofEveryTable: ReadonlySet<string> = new Set(
  Object.values(systemColumns).map(({ name }) => name),
)

const number = sql.id(systemColumns.autoNumber.name)

interface FoundRange {
  readonly until: number | string | null
  readonly chosen: number | string
  readonly size: number | string
  readonly found: number | string
}

export class SqlRecordSizeReader implements RecordSizeReader {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async nextRange(table: MeasuredTable, end: RangeEnd): Promise<SizedRange | undefined> {
    const measured = await this.#measured(table, end)
    const all = await this.#range(end, wholeOf(measured))
    // To find where the bytes end takes longer than to add them up, and they seldom end within.
    if (!all || all.bytes <= end.bytes) return all
    return this.#range(end, withinBytes(measured, end))
  }

  async #range(end: RangeEnd, query: RawBuilder<FoundRange>): Promise<SizedRange | undefined> {
    const [row] = await this.#session.allOnce(query)
    if (!row || row.until === null) return undefined
    const [until, count, bytes, found] = [row.until, row.chosen, row.size, row.found].map(Number)
    if (!until || !count || bytes === undefined) return undefined
    const isLast = found === count && found < end.records
    return { after: end.after, until, count, bytes, isLast }
  }

  async bytesOf(table: MeasuredTable, recordIds: readonly string[]): Promise<number> {
    const { dialect } = this.#session
    const size = await this.#sizeOf(table)
    const name = dialect.tables.named(table.baseId, table.dbTableName)
    const isAsked = dialect.lists.isIn(systemColumns.id.name, recordIds)
    const sum = sql<{
      readonly size: number | string | null
    }>`select sum(${size}) as size from ${name} where ${isAsked}`
    const [row] = await this.#session.allOnce(sum)
    return Number(row?.size ?? 0)
  }

  /** The numbers and sizes of so many records as the end allows. */
  async #measured(
    measuredTable: MeasuredTable,
    { after, records, withDeleted = false }: RangeEnd,
  ): Promise<RawBuilder<unknown>> {
    const size = await this.#sizeOf(measuredTable)
    const { baseId, dbTableName } = measuredTable
    const table = this.#session.dialect.tables.named(baseId, dbTableName)
    const living = withDeleted ? sql`` : sql`${isLiving} and`
    return sql`select ${number} as number, ${size} as size from ${table} where ${living} ${number} > ${after} order by ${number} limit ${records}`
  }

  /** What a record of the table takes, as an expression. */
  async #sizeOf({ baseId, dbTableName }: MeasuredTable): Promise<RawBuilder<unknown>> {
    const { tables, values } = this.#session.dialect
    // As they are now: while a field is converted they differ from what is noted of fields.
    const columns = await this.#session.allOnce(tables.columns(baseId, dbTableName))
    const ofFields = columns.filter(({ name }) => !ofEveryTable.has(name))
    return sumOf(
      ofFields.map(
        ({ name, is_number }) => sql`coalesce(${values.storedBytes(name, Boolean(is_number))}, 0)`,
      ),
    )
  }
}

/** All records that were measured. */
function wholeOf(measured: RawBuilder<unknown>): RawBuilder<FoundRange> {
  return sql`select max(number) as until, count(*) as chosen, sum(size) as size, count(*) as found from (${measured}) as measured`
}

/** Those of them that the bytes are enough for, and the first in any case. */
function withinBytes(
  measured: RawBuilder<unknown>,
  { bytes }: Pick<RangeEnd, 'bytes'>,
): RawBuilder<FoundRange> {
  const totals = sql`select number, size, sum(size) over w as total, row_number() over w as place from measured window w as (order by number)`
  return sql`with measured as (${measured}), totals as (${totals}) select max(number) as until, count(*) as chosen, sum(size) as size, (select count(*) from measured) as found from totals where total <= ${bytes} or place = 1`
}
