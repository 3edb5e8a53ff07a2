import type { Lock } from '@gateleg/domain/access/lock'
import { limits } from '@gateleg/domain/limits'
import { quote } from '../schemas/record-table.ts'
import { type RowBatch, type SqlConnection, valueSize } from './connection.ts'
import type { SqlDialect, TypedColumn } from './dialect.ts'
import { rowsWithin } from './rows-within.ts'

/** Which rows of a user table are read, and in which order. */
export interface Search {
  /** Quoted. */
  readonly table: string
  readonly columns: readonly TypedColumn[]
  /** What is selected; the names of the columns, or those with their types. */
  readonly selected: string
  readonly condition: string
  readonly key: TypedColumn
  /** What follows the order: a limit. */
  readonly ending: string
  /** How many values the condition and the ending take. */
  readonly values: number
  readonly lock: Lock
}

/** A statement that reads rows, and what it becomes where they may be more than memory should hold. */
export interface BoundedSelect {
  readonly whole: string
  /**
   * Ends with the row at which those before it have reached a size: one more value. Its rows have one
   * column more: in the last one, whether there was one that is left out. Undefined where `whole` can be read as
   * far as is wanted, because its rows are small or sent one by one.
   */
  readonly bounded: string | undefined
}

/** Reads rows in the order of the key. */
export function boundedSelect(dialect: SqlDialect, search: Search): BoundedSelect {
  const { table, columns, selected, condition, key, ending, values, lock } = search
  const keyName = `t.${quote(key.name)}`
  const order = `order by ${keyName}`
  const clause = dialect.lockClause(lock, 't')
  const whole = `select ${selected} from ${table} as t where ${condition} ${order}${ending} ${clause}`
  const lengths = columns.flatMap((column) => dialect.textLength?.(column) ?? [])
  if (lengths.length === 0) return { whole, bounded: undefined }
  const size = [columns.length * valueSize, ...lengths].join(' + ')
  const names = columns.map(({ name }) => quote(name)).join(', ')
  const found = `select ${names} from ${table} as t where ${condition} ${order}${ending}`
  const window = `window w as (${order} rows between unbounded preceding and 1 preceding)`
  const before = `coalesce(sum(${size}) over w, 0) as __before`
  const isWithin = `__before < ${dialect.placeholder(values + 1)}`
  if (clause === '') {
    const hasNext = `lead(${keyName}) over w is not null as __has_next`
    const measured = `select t.*, ${before}, ${hasNext} from (${found}) as t ${window}`
    const bounded = `select ${selected}, __has_next from (${measured}) as t where ${isWithin} ${order}`
    return { whole, bounded }
  }
  // What is measured can't be held: rows are held up to the last one that is within the size.
  const measured = `select ${keyName} as key, ${before} from (${found}) as t ${window}`
  const hasNext = `exists (select from measured where not ${isWithin})`
  const last = `select max(key) from measured where ${isWithin}`
  const held = `${condition} and ${keyName} <= (${last}) ${order}${ending} ${clause}`
  const bounded = `with measured as materialized (${measured}) select ${selected}, ${hasNext} from ${table} as t where ${held}`
  return { whole, bounded }
}

/** Where the reading of rows ends at the latest. */
export interface ReadingEnd {
  /** Rows. */
  readonly most: number
  /** Characters, roughly; `limits.recordsLength` when it isn't said. */
  readonly length?: number | undefined
}

/** Reads so many rows at most, as far as their size allows. */
export async function readBounded(
  connection: SqlConnection,
  { whole, bounded }: BoundedSelect,
  values: readonly unknown[],
  { most, length: size = limits.recordsLength }: ReadingEnd,
): Promise<RowBatch> {
  if (most === 1) return rowsWithin(await connection.rows(whole, values), size)
  if (bounded === undefined) return connection.rowsWithin(whole, values, size)
  const batch = await connection.rowsWithin(bounded, [...values, size], size)
  return { ...batch, isCut: batch.isCut || batch.rows.at(-1)?.at(-1) === true }
}
