import type {
  MeasuredTable,
  RangeEnd,
  RecordSizeReader,
  SizedRange,
} from '@gateleg/domain/records/reading/record-size-reader'
import { type RawBuilder, sql } from 'kysely'
import { valueSize } from '../core/connection.ts'
import { Place } from '../core/dialect/place.ts'
import type { SqlSession } from '../core/session.ts'
import { StatementTexts } from '../core/statements/statement-texts.ts'
import { sumOf } from '../core/statements/sum-of.ts'
import { isLiving } from '../record-tables/is-living.ts'
import { systemColumns } from '../record-tables/system-columns.ts'

/** Columns that every table has take about as much in each record: next to nothing. */
const ofEveryTable: ReadonlySet<string> = new Set(
  Object.values(systemColumns).map(({ name }) => name),
)

const number = sql.id(systemColumns.autoNumber.name)

/** What a record takes, as an expression; the key tells the columns that it adds up. */
interface RecordSize {
  readonly texts: StatementTexts
  readonly key: string
  readonly size: () => RawBuilder<unknown>
  readonly name: RawBuilder<unknown>
}

/** A query of the numbers and sizes of records, which the key tells from others. */
interface Measured extends Pick<RecordSize, 'texts' | 'key'> {
  readonly measured: () => RawBuilder<unknown>
}

interface FoundRange extends SizedRange {
  /** Whether the bytes were not enough for all that was found: whatever follows that, this is the range. */
  readonly isCut: boolean
}

export class SqlRecordSizeReader implements RecordSizeReader {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async nextRange(table: MeasuredTable, end: RangeEnd): Promise<SizedRange | undefined> {
    const { after, records, enough } = end
    if (enough === undefined) return this.#range(table, end)
    // Most tables have few gaps between their numbers. A database that knows nothing of a table yet takes few of its records
    // for living: it would read and sort all that follow where it isn't told an end.
    const near = await this.#range(table, end, after + records)
    const isEnough = near && (near.isLast || near.isCut || near.count >= enough)
    return isEnough ? near : this.#range(table, end)
  }

  /** The next records, as far as a number where that is said. */
  async #range(
    table: MeasuredTable,
    end: RangeEnd,
    greatest?: number,
  ): Promise<FoundRange | undefined> {
    const { after, records, bytes } = end
    const { texts, key, measured } = await this.#measured(table, end, greatest !== undefined)
    const values = [after, ...(greatest === undefined ? [] : [greatest]), records]
    const whole = texts.of(`whole ${key}`, () => wholeOf(measured()))
    const all = await this.#rangeOf(whole, values)
    // To find where the bytes end takes longer than to add them up, and they seldom end within.
    const isWhole = !all || all.bytes <= bytes
    const within = () => texts.of(`within ${key}`, () => withinBytes(measured()))
    const range = isWhole ? all : await this.#rangeOf(within(), [...values, bytes])
    if (!range) return undefined
    const { until, count, found, last } = range
    const hasMore = greatest === undefined ? found === records : last > greatest
    const isCut = count < found
    return { after, until, count, bytes: range.bytes, isLast: !isCut && !hasMore, isCut }
  }

  async #rangeOf(query: string, values: readonly unknown[]) {
    const [row] = await this.#session.connection.rows(query, values)
    if (!row || row[0] === null) return undefined
    const [until = 0, count = 0, bytes = 0, found = 0, last = 0] = row.map(Number)
    return { until, count, bytes, found, last }
  }

  async bytesOf(table: MeasuredTable, recordIds: readonly string[]): Promise<number> {
    const { dialect, connection } = this.#session
    const { texts, key, size, name } = await this.#sizeOf(table)
    const isAsked = () => dialect.lists.includes(new Place(), systemColumns.id)
    const sum = () => sql`select sum(${size()}) from ${name} where ${isAsked()}`
    const [row] = await connection.rows(texts.of(`sum ${key}`, sum), [recordIds])
    return Number(row?.[0] ?? 0)
  }

  /**
   * The numbers and sizes of so many records as the end allows. Values: the number before them, the greatest one where
   * that is said, how many.
   */
  async #measured(
    table: MeasuredTable,
    { withDeleted = false }: RangeEnd,
    saysGreatest: boolean,
  ): Promise<Measured> {
    const { texts, key, size, name } = await this.#sizeOf(table)
    const measured = () => {
      const isIn = [
        ...(withDeleted ? [] : [isLiving]),
        sql`${number} > ${new Place()}`,
        ...(saysGreatest ? [sql`${number} <= ${new Place()}`] : []),
      ]
      const last = saysGreatest ? sql`(select max(${number}) from ${name})` : sql.lit(0)
      return sql`select ${number} as number, ${size()} as size, ${last} as last from ${name} where ${sql.join(isIn, sql` and `)} order by ${number} limit ${new Place()}`
    }
    return { texts, key: `${withDeleted} ${saysGreatest} ${key}`, measured }
  }

  /** What a record of the table takes, as an expression. */
  async #sizeOf({ baseId, physicalName }: MeasuredTable): Promise<RecordSize> {
    const { dialect, connection } = this.#session
    const { tables, values } = dialect
    const texts = new StatementTexts(dialect, `sizes ${baseId.length} ${baseId} ${physicalName}`)
    // As they are now: while a field is converted they differ from what is noted of fields.
    const columnsNow = texts.of('columns', () => tables.columns(baseId, physicalName))
    const columns = (await connection.rows(columnsNow, [])).map(
      ([name, isNumber]) => [String(name), Boolean(isNumber)] as const,
    )
    const ofFields = columns.filter(([name]) => !ofEveryTable.has(name))
    // Numbers take as much in each record, or nothing: to look at each would take as long as to look at a text.
    const long = ofFields.filter(([, isNumber]) => !isNumber)
    const ofNumbers = sql.lit((ofFields.length - long.length) * valueSize)
    const sizeOf = ([name]: (typeof ofFields)[number]) =>
      sql`coalesce(${values.storedBytes(name)}, 0)`
    return {
      texts,
      key: JSON.stringify(ofFields),
      size: () => sumOf([ofNumbers, ...long.map(sizeOf)]),
      name: tables.named(baseId, physicalName),
    }
  }
}

/** All records that were measured. */
function wholeOf(measured: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select max(number) as until, count(*) as chosen, sum(size) as size, count(*) as found, max(last) as last from (${measured}) as measured`
}

/** Those of them that the bytes are enough for, and the first in any case. Values: also the bytes. */
function withinBytes(measured: RawBuilder<unknown>): RawBuilder<unknown> {
  const totals = sql`select number, size, last, sum(size) over w as total, row_number() over w as place from measured window w as (order by number)`
  return sql`with measured as (${measured}), totals as (${totals}) select max(number) as until, count(*) as chosen, sum(size) as size, (select count(*) from measured) as found, max(last) as last from totals where total <= ${new Place()} or place = 1`
}
