import { limits } from '@gateleg/domain/limits'
import type { RecordQuery } from '@gateleg/domain/queries/record-query'
import type { PageRecord } from '@gateleg/domain/records/query/record-finder'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import { measuredRows } from '../../core/bounded-select.ts'
import type { TypedColumn } from '../../core/dialect/typed-column.ts'
import type { SqlSession } from '../../core/session.ts'
import { systemColumns } from '../../schemas/system-columns.ts'
import { withNotedPlaces } from '../../views/row-order-table.ts'
import { readColumns, recordTableOf } from '../record-table.ts'
import { toRecords } from '../stored-rows.ts'
import { orderSql, queryTerms, type SortTerm } from './sort-sql.ts'

const { id, autoNumber } = systemColumns

/**
 * How rows of a page of a query are selected and read: where each stands in the order and, where columns are named, the record
 * itself with its cells in these. What is selected has names of its own, which no column of a user's is taken for.
 */
export class PageRows {
  readonly terms: readonly SortTerm[]
  /** The records as `t`. */
  readonly table: RawBuilder<unknown>
  /** Whether some record was too long to be read along: what was read is not all of it. */
  isCut = false
  readonly #session: SqlSession
  readonly #schema: TableSchema
  readonly #columns: readonly Column[] | undefined
  /** What a select lists of each record, before what orders it. */
  readonly #listed: readonly TypedColumn[]
  /** Whether cells are looked up for the rows of the page alone, not carried along while it is looked for. */
  readonly #isLookedUp: boolean

  constructor(
    session: SqlSession,
    schema: TableSchema,
    query: RecordQuery,
    columns?: readonly Column[],
  ) {
    const { dialect } = session
    this.#session = session
    this.#schema = schema
    this.#columns = columns
    this.#isLookedUp = columns !== undefined && !dialect.queries.sortsWhole
    this.#listed = columns && !this.#isLookedUp ? [...readColumns, ...columns] : [id, autoNumber]
    this.terms = queryTerms(query, dialect)
    this.table = withNotedPlaces(schema, query.rowOrder, dialect)
  }

  /** Whether records are carried along while the page is looked for, which costs where many are sorted for it. */
  get areCarried(): boolean {
    return this.#columns !== undefined && !this.#isLookedUp
  }

  /** What a select of the table lists, for `read`. */
  get listed(): RawBuilder<unknown> {
    const columns = this.#listed.map(
      (column, index) =>
        sql`${this.#session.dialect.values.read(column, 't')} as ${rowName(index)}`,
    )
    return sql.join([...columns, ...this.listedTerms])
  }

  /** What orders records, as a select lists it; none where nothing but their numbers does. */
  get listedTerms(): readonly RawBuilder<unknown>[] {
    return this.terms.map(({ value }, index) => sql`${value} as ${termName(index)}`)
  }

  /** The names of all that is listed. */
  get names(): RawBuilder<unknown> {
    return sql.join([...this.#listed.map((_, index) => rowName(index)), ...this.#termNames])
  }

  /** The order in a select of the table; that of a select of what it lists is `orderOfListed`. */
  get order(): RawBuilder<unknown> {
    return orderSql(this.terms, this.#termNames)
  }

  /** The same by the values themselves. */
  get orderByValues(): RawBuilder<unknown> {
    return orderSql(
      this.terms,
      this.terms.map(({ value }) => value),
    )
  }

  get orderOfListed(): RawBuilder<unknown> {
    return orderSql(this.terms, this.#termNames, numberName)
  }

  /** Runs a select of what is listed, in its order, and reads its rows. */
  async read(rows: RawBuilder<unknown>): Promise<readonly PageRecord[]> {
    const { connection, db } = this.#session
    if (!this.#columns) {
      const { sql: text, parameters } = rows.compile(db)
      return (await connection.rows(text, parameters)).map((row) => this.#toFound(row))
    }
    const length = limits.recordsLengthInOneTurn
    const { sql: text, parameters } = this.#withCells(rows, length).compile(db)
    const { rows: read, isCut } = await connection.rowsWithin(text, parameters, length)
    // Where the statement itself ends there, its last column tells whether there was more.
    this.isCut ||= isCut || read.at(-1)?.[this.#width] === true
    const records = await toRecords(this.#session, this.#schema, read, this.#columns)
    const start = this.#width - this.terms.length
    return read.map((row, index) => {
      const record = records[index] as NonNullable<PageRecord['record']>
      const values = this.#toValues(row, start)
      return { id: record.id, autoNumber: record.autoNumber, values, record }
    })
  }

  /** How many values there are of a row that is read with its cells. */
  get #width(): number {
    return readColumns.length + (this.#columns?.length ?? 0) + this.terms.length
  }

  get #termNames(): readonly RawBuilder<unknown>[] {
    return this.terms.map((_, index) => termName(index))
  }

  #withCells(rows: RawBuilder<unknown>, length: number): RawBuilder<unknown> {
    const { dialect } = this.#session
    if (this.#isLookedUp) {
      const all = [...readColumns, ...(this.#columns ?? [])]
      const cells = all.map((column) => dialect.values.read(column, 't'))
      const terms = this.#termNames.map((name) => sql`p.${name}`)
      const { name } = recordTableOf(this.#schema, dialect)
      // A cross join is made in the order in which it stands there, so that the rows keep theirs.
      return sql`select ${sql.join([...cells, ...terms])} from (${rows}) as p cross join ${name} as t where t.${sql.id(autoNumber.name)} = p.${numberName}`
    }
    const measured = this.#listed.map(({ type }, index) => ({ name: `r${index}`, type }))
    return measuredRows(dialect, {
      rows,
      columns: measured,
      names: this.names,
      order: this.orderOfListed,
      key: numberName,
      length,
    })
  }

  #toFound(row: readonly unknown[]): PageRecord {
    const values = this.#toValues(row, this.#listed.length)
    return { id: row[0] as string, autoNumber: Number(row[1]), values }
  }

  #toValues(row: readonly unknown[], start: number) {
    return this.terms.map(({ type }, index) => {
      const value = row[start + index] ?? null
      if (value === null) return null
      return type === 'REAL' ? Number(value) : (value as string)
    })
  }
}

function rowName(index: number): RawBuilder<unknown> {
  return sql.id(`r${index}`)
}

function termName(index: number): RawBuilder<unknown> {
  return sql.id(`s${index}`)
}

/** The number of the record, which comes second among what is listed. */
const numberName = rowName(1)
