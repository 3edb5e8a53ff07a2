import { limits } from '@gateleg/domain/limits'
import { type RawBuilder, sql } from 'kysely'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import type { SqlSession } from '../core/session.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { inChunks } from '../core/statements/in-chunks.ts'
import { RowsOfValues } from '../core/statements/rows-of-values.ts'
import { slicesBySize } from '../core/statements/slices-by-size.ts'
import { statementText } from '../core/statements/statement-texts.ts'
import { StorageRefusedError } from '../migrations/storage-errors.ts'
import type { MovingSide } from './moving-side.ts'

/** One table on both sides. */
export interface CopiedTable {
  readonly source: RawBuilder<unknown>
  readonly target: RawBuilder<unknown>
  readonly columns: readonly TypedColumn[]
}

/** The two sides of a move, each in a step. */
export interface MovingSessions {
  readonly from: MovingSide
  readonly source: SqlSession
  readonly target: SqlSession
}

/** Copies all rows of a table. Throws StorageRefusedError where the copy has another number of rows. */
export async function copyRows(
  { from, source, target }: MovingSessions,
  table: CopiedTable,
): Promise<void> {
  const insert = new RowInsert(target, table.target, table.columns)
  let read = 0
  const { dialect } = source
  const values = sql.join(table.columns.map((column) => dialect.values.read(column)))
  const statement = statementText(dialect, sql`select ${values} from ${table.source}`)
  // The next rows are read while those before them are written.
  let writing = Promise.resolve()
  try {
    for await (const rows of from.rowsOf(source, statement)) {
      read += rows.length
      const converted = insert.convert(rows)
      await writing
      writing = insert.add(converted)
      // Noticed with the next rows, or at the end.
      writing.catch(() => {})
    }
  } finally {
    await writing
  }
  const [count] = await target.allOnce(
    sql<{ n: number }>`select count(*) as n from ${table.target}`,
  )
  if (Number(count?.n) === read) return
  throw new StorageRefusedError(`Of ${read} rows of a table, only ${count?.n} were copied`)
}

/** Adds rows to a table, as many at a time as one statement takes. */
class RowInsert {
  readonly #session: SqlSession
  readonly #target: RawBuilder<unknown>
  readonly #columns: readonly TypedColumn[]
  readonly #texts = new Map<number, string>()

  constructor(session: SqlSession, target: RawBuilder<unknown>, columns: readonly TypedColumn[]) {
    this.#session = session
    this.#target = target
    this.#columns = columns
  }

  /** The values of rows in the form that every engine accepts. */
  convert(rows: readonly (readonly unknown[])[]): readonly (readonly Value[])[] {
    return rows.map((row) => this.#columns.map(({ type }, i) => toValue(row[i], type)))
  }

  /** Adds rows that were converted. */
  async add(converted: readonly (readonly Value[])[]): Promise<void> {
    const { dialect, connection } = this.#session
    const most = Math.min(dialect.rows.lengthPerStatement, limits.recordsLength)
    for (const slice of slicesBySize(most, converted, (row) => row)) {
      await inChunks(dialect, slice, this.#columns.length, async (chunk) => {
        await connection.run(this.#textFor(chunk.length), dialect.rows.bind(this.#columns, chunk))
      })
    }
  }

  #textFor(rows: number): string {
    const { dialect } = this.#session
    const shape = dialect.rows.shape(rows)
    const known = this.#texts.get(shape)
    if (known !== undefined) return known
    const { columns, values } = new RowsOfValues(this.#columns)
    const added = dialect.rows.table('v', columns, rows)
    const text = statementText(
      dialect,
      sql`insert into ${this.#target} (${nameList(this.#columns)}) select ${values} from ${added}`,
    )
    this.#texts.set(shape, text)
    return text
  }
}

type Value = string | number | boolean | null

/** Converts a value to the form that every engine accepts, because engines write truth values and JSON differently. */
export function toValue(value: unknown, type: TypedColumn['type']): Value {
  if (value === null || value === undefined) return null
  if (type === 'BOOLEAN') return Boolean(value)
  if (type === 'JSON') return JSON.stringify(JSON.parse(value as string))
  return value as Value
}
