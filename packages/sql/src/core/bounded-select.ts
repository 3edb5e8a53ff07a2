import type { Lock } from '@gateleg/domain/access/lock'
import { limits } from '@gateleg/domain/limits'
import { type RawBuilder, sql } from 'kysely'
import { nameList } from './column-lists.ts'
import { type RowBatch, type SqlConnection, valueSize } from './connection.ts'
import type { SqlDialect } from './dialect/sql-dialect.ts'
import type { TypedColumn } from './dialect/typed-column.ts'
import { Place } from './place.ts'
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
  textLength: NonNullable<SqlDialect['values']['textLength']>,
  { table, columns, selected, condition, key, ending, lock }: Search,
): RawBuilder<unknown> {
  const keyName = sql`t.${sql.id(key.name)}`
  const order = sql`order by ${keyName}`
  const small = sql.lit(columns.length * valueSize)
  const lengths = columns.flatMap((column) => textLength(column) ?? [])
  const size = sql.join([small, ...lengths], sql` + `)
  const found = sql`select ${nameList(columns)} from ${table} as t where ${condition} ${order}${ending}`
  const window = sql`window w as (${order} rows between unbounded preceding and 1 preceding)`
  const before = sql`coalesce(sum(${size}) over w, 0) as __before`
  const isWithin = sql`__before < ${new Place()}`
  if (lock === 'none') {
    const hasNext = sql`lead(${keyName}) over w is not null as __has_next`
    const measured = sql`select t.*, ${before}, ${hasNext} from (${found}) as t ${window}`
    return sql`select ${selected}, __has_next from (${measured}) as t where ${isWithin} ${order}`
  }
  // What is measured can't be held: rows are held up to the last one that is within the size.
  const measured = sql`select ${keyName} as key, ${before} from (${found}) as t ${window}`
  const hasNext = sql`exists (select from measured where not ${isWithin})`
  const last = sql`select max(key) from measured where ${isWithin}`
  const held = sql`${condition} and ${keyName} <= (${last}) ${order}${ending} ${locks.clause(lock, 't')}`
  return sql`with measured as materialized (${measured}) select ${selected}, ${hasNext} from ${table} as t where ${held}`
}

/** Rows of a select, and which of its columns are measured. */
export interface MeasuredRows {
  readonly rows: RawBuilder<unknown>
  readonly columns: readonly TypedColumn[]
  /** The names of all of its columns. */
  readonly names: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  /** A column that is never null. */
  readonly key: RawBuilder<unknown>
  /** Ends with the row at which those before it have reached it. */
  readonly length: number
}

/**
 * The rows as far as they are not too long together, with one column more, which tells whether another one follows; all of them, and
 * no such column, where they are sent one by one, so that who reads them can end when they like.
 */
export function measuredRows(
  { values: { textLength } }: SqlDialect,
  { rows, columns, names, order, key, length }: MeasuredRows,
): RawBuilder<unknown> {
  if (!textLength) return rows
  const lengths = columns.flatMap((column) => textLength(column) ?? [])
  const size = sql.join([sql.lit(columns.length * valueSize), ...lengths], sql` + `)
  const window = sql`window w as (order by ${order} rows between unbounded preceding and 1 preceding)`
  const before = sql`coalesce(sum(${size}) over w, 0) as __before`
  const hasNext = sql`lead(${key}) over w is not null as __has_next`
  const measured = sql`select p.*, ${before}, ${hasNext} from (${rows}) as p ${window}`
  return sql`select ${names}, __has_next from (${measured}) as p where __before < ${length} order by ${order}`
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
