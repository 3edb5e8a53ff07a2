import type { Lock } from '@gateleg/domain/access/lock'
import { limits } from '@gateleg/domain/limits'
import { type RawBuilder, sql } from 'kysely'
import { type RowBatch, type SqlConnection, valueSize } from '../connection.ts'
import { Place } from '../dialect/place.ts'
import type { SqlDialect } from '../dialect/sql-dialect.ts'
import type { TypedColumn } from '../dialect/typed-column.ts'
import { nameList } from './column-lists.ts'
import { rowsWithin } from './rows-within.ts'

/** Which rows of a user table are read, and in which order. */
export interface Search {
  readonly table: RawBuilder<unknown>
  readonly columns: readonly TypedColumn[]
  /** The selected columns, as statements read them. */
  readonly selected: RawBuilder<unknown>
  readonly condition: RawBuilder<unknown>
  readonly key: TypedColumn
  /** The end of the statement, after the order: a limit. Empty where the condition bounds the number of rows. */
  readonly ending: RawBuilder<unknown>
  readonly lock: Lock
}

/**
 * The texts of a statement that reads rows: without a bound, and with one for rows that may be more than memory should
 * hold.
 */
export interface BoundedSelect {
  readonly whole: string
  /**
   * Ends with the row at which those before it have reached a size: one more value. Its rows have one
   * column more: in the last one, whether there was one that is left out. Undefined where `whole` can be read as
   * far as is wanted, because its rows are sent one by one.
   */
  readonly bounded: string | undefined
}

/** Makes a reader of rows in the order of the key. Takes the functions that make, or cache, the two texts. */
export function boundedSelect(
  dialect: SqlDialect,
  search: () => Search,
  toText: (part: keyof BoundedSelect, build: () => RawBuilder<unknown>) => string,
): BoundedSelect {
  const { textLength } = dialect.values
  return {
    whole: toText('whole', () => wholeSelect(dialect, search())),
    bounded: textLength && toText('bounded', () => measuredSelect(dialect, textLength, search())),
  }
}

function wholeSelect(
  { locks }: SqlDialect,
  { table, selected, condition, key, ending, lock }: Search,
): RawBuilder<unknown> {
  const clause = locks.clause(lock, 't')
  return sql`select ${selected} from ${table} as t where ${condition} order by t.${sql.id(key.name)}${ending} ${clause}`
}

function measuredSelect(
  { locks }: SqlDialect,
  textLength: TextLength,
  { table, columns, selected, condition, key, ending, lock }: Search,
): RawBuilder<unknown> {
  const keyName = sql`t.${sql.id(key.name)}`
  const found = sql`select ${nameList(columns)} from ${table} as t where ${condition} order by ${keyName}${ending}`
  const length = new Place()
  if (lock === 'none') {
    const rows = { rows: found, columns, names: selected, order: keyName, key: keyName, length }
    return withinLength(textLength, rows)
  }
  // What is measured can't be held: rows are held up to the last one that is within the size.
  const { before, window } = lengthBefore(textLength, columns, keyName)
  const measured = sql`select ${keyName} as key, ${before} from (${found}) as t ${window}`
  const isWithin = sql`__before < ${length}`
  const hasNext = sql`exists (select from measured where not ${isWithin})`
  const last = sql`select max(key) from measured where ${isWithin}`
  const held = sql`${condition} and ${keyName} <= (${last}) order by ${keyName}${ending} ${locks.clause(lock, 't')}`
  return sql`with measured as materialized (${measured}) select ${selected}, ${hasNext} from ${table} as t where ${held}`
}

type TextLength = NonNullable<SqlDialect['values']['textLength']>

/** Rows of a select, which stand as `t`, and which of its columns are measured. */
interface RowsToMeasure {
  readonly rows: RawBuilder<unknown>
  readonly columns: readonly TypedColumn[]
  /** What is read of them. */
  readonly names: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  /** A column that is never null. */
  readonly key: RawBuilder<unknown>
  /** Ends with the row at which those before it have reached it. */
  readonly length: number | Place
}

/**
 * The rows as far as they are not too long together, with one column more, which tells whether another one follows; all of them, and
 * no such column, where they are sent one by one, so that who reads them can end when they like.
 */
export function measuredRows(
  { values: { textLength } }: SqlDialect,
  rows: RowsToMeasure,
): RawBuilder<unknown> {
  return textLength ? withinLength(textLength, rows) : rows.rows
}

function withinLength(
  textLength: TextLength,
  { rows, columns, names, order, key, length }: RowsToMeasure,
): RawBuilder<unknown> {
  const { before, window } = lengthBefore(textLength, columns, order)
  const hasNext = sql`lead(${key}) over w is not null as __has_next`
  const measured = sql`select t.*, ${before}, ${hasNext} from (${rows}) as t ${window}`
  return sql`select ${names}, __has_next from (${measured}) as t where __before < ${length} order by ${order}`
}

/** What the rows before each take together, as `__before`, and the window over which that is told. */
function lengthBefore(
  textLength: TextLength,
  columns: readonly TypedColumn[],
  order: RawBuilder<unknown>,
) {
  const lengths = columns.flatMap((column) => textLength(column) ?? [])
  const size = sql.join([sql.lit(columns.length * valueSize), ...lengths], sql` + `)
  return {
    before: sql`coalesce(sum(${size}) over w, 0) as __before`,
    window: sql`window w as (order by ${order} rows between unbounded preceding and 1 preceding)`,
  }
}

/** The limits at which the reading of rows ends. */
export interface ReadingEnd {
  /** Rows. */
  readonly most: number
  /** Characters, roughly; `limits.recordsLength` when it isn't said. */
  readonly length?: number | undefined
  /** How many rows are read at one time, though others follow. */
  readonly mostAtOnce?: number
}

/** Reads rows up to the limits of number and size. */
export async function readBounded(
  connection: SqlConnection,
  { whole, bounded }: BoundedSelect,
  values: readonly unknown[],
  { most, length: size = limits.recordsLength, mostAtOnce }: ReadingEnd,
): Promise<RowBatch> {
  if (most === 1) return rowsWithin(await connection.rows(whole, values), size)
  if (bounded === undefined) return connection.rowsWithin(whole, values, size, mostAtOnce)
  const batch = await connection.rowsWithin(bounded, [...values, size], size)
  return { ...batch, isCut: batch.isCut || batch.rows.at(-1)?.at(-1) === true }
}
