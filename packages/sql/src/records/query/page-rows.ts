import { limits } from '@gateleg/domain/limits'
import type { QueryPage, QueryPosition, RecordQuery } from '@gateleg/domain/queries/record-query'
import type { PageRecord } from '@gateleg/domain/records/reading/record-finder'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { TypedColumn } from '../../core/dialect/typed-column.ts'
import type { SqlSession } from '../../core/session.ts'
import { measuredRows } from '../../core/statements/bounded-select.ts'
import {
  Given,
  type KeptStatement,
  keptStatement,
  valuesToBind,
} from '../../core/statements/kept-statement.ts'
import { keyOf, readColumns, recordTableOf } from '../../record-tables/record-table.ts'
import { withNotedPlaces } from '../../record-tables/row-order-table.ts'
import { systemColumns } from '../../record-tables/system-columns.ts'
import { orderSql, queryTerms, type SortTerm } from '../expressions/sort-sql.ts'
import { toRecords } from '../stored-rows.ts'
import { queryKeyOf } from './query-key.ts'

const { id, autoNumber } = systemColumns

/** Makes a statement about the rows. It is called where that isn't known yet, and must depend on nothing that its key doesn't tell. */
type Build = (rows: PageRows) => RawBuilder<unknown>

/** Which page of which query, and the columns of whose cells its records are read along, where any are named. */
export interface PageAsked {
  readonly schema: TableSchema
  readonly query: RecordQuery
  readonly page: QueryPage
  readonly columns?: readonly Column[] | undefined
}

/**
 * How rows of a page of a query are selected and read: where each stands in the order and, where columns are named, the record
 * itself. What is selected has names of its own, which no column of a user's is taken for.
 */
export class PageRows {
  /** Whether some record was too long to be read along: what was read is not all of it. */
  isCut = false
  readonly #session: SqlSession
  readonly #asked: PageAsked
  /** Whether cells are looked up for the rows of the page alone, not carried along while it is looked for. */
  readonly #isLookedUp: boolean
  /** What tells the query from all others; undefined where its statements aren't kept. */
  readonly key: string | undefined
  readonly #told: readonly unknown[]
  #terms: readonly SortTerm[] | undefined

  constructor(session: SqlSession, asked: PageAsked) {
    const { dialect } = session
    const { schema, query, page, columns } = asked
    const { after } = page
    this.#session = session
    this.#asked = asked
    this.#isLookedUp = columns !== undefined && !dialect.queries.sortsWhole
    const key = queryKeyOf(query, after)
    this.key = key && `${recordTableOf(schema, dialect).key} ${page.skip} ${key}`
    this.#told = after ? [...after.values, after.autoNumber] : []
  }

  /** Whether records are carried along while the page is looked for, which costs where many are sorted for it. */
  get areCarried(): boolean {
    return this.#asked.columns !== undefined && !this.#isLookedUp
  }

  /** The rows of the page, of which nothing is read along. */
  get alone(): PageRows {
    return new PageRows(this.#session, { ...this.#asked, columns: undefined })
  }

  /** The records as `t`. */
  get table(): RawBuilder<unknown> {
    const { schema, query } = this.#asked
    return withNotedPlaces(schema, query.rowOrder, this.#session.dialect)
  }

  get terms(): readonly SortTerm[] {
    this.#terms ??= queryTerms(this.#asked.query, this.#session.dialect)
    return this.#terms
  }

  /** The position after which the page begins, whose values are told when a statement runs. */
  get after(): QueryPosition | undefined {
    const { after } = this.#asked.page
    if (!after) return undefined
    const given = (index: number) => new Given(index) as never
    const values = after.values.map((value, index) => (value === null ? null : given(index)))
    return { values, autoNumber: given(values.length) }
  }

  /** What a select of the table lists, for `read`. */
  get listed(): RawBuilder<unknown> {
    const { values } = this.#session.dialect
    const columns = this.#listed.map(
      (column, index) => sql`${values.read(column, 't')} as ${rowName(index)}`,
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

  /** The order in a select of the table. */
  get order(): RawBuilder<unknown> {
    return orderSql(this.terms, this.#termNames)
  }

  /** The order in a select of the table, by the values themselves. */
  get orderByValues(): RawBuilder<unknown> {
    return orderSql(
      this.terms,
      this.terms.map(({ value }) => value),
    )
  }

  /** The order in a select of what is listed. */
  get orderOfListed(): RawBuilder<unknown> {
    return orderSql(this.terms, this.#termNames, numberName)
  }

  /** Runs a select of what is listed, in its order, and reads its rows. */
  async read(key: string, build: Build): Promise<readonly PageRecord[]> {
    const { connection } = this.#session
    const { columns, schema } = this.#asked
    const length = Math.min(limits.recordsLength, limits.recordsLengthInOneTurn)
    const { text, parameters } = this.#statement(`${key} ${this.#keyOfColumns} ${length}`, () =>
      this.#withCells(build(this), length),
    )
    if (!columns) return (await connection.rows(text, parameters)).map((row) => this.#toFound(row))
    const { rows, isCut } = await connection.rowsWithin(text, parameters, length)
    const start = readColumns.length + columns.length
    // Where the statement itself ends there, its last column tells whether there was more.
    this.isCut ||= isCut || rows.at(-1)?.[start + this.terms.length] === true
    const some = this.#areAll ? undefined : columns
    const records = await toRecords(this.#session, schema, rows, some)
    return records.map((record, index) => {
      const values = this.#toValues(rows[index] ?? [], start)
      return { id: record.id, autoNumber: record.autoNumber, values, record }
    })
  }

  /** Runs another statement about them. */
  async rows(key: string, build: Build) {
    const { text, parameters } = this.#statement(key, () => build(this))
    return this.#session.connection.rows(text, parameters)
  }

  #statement(key: string, build: () => RawBuilder<unknown>): KeptStatement {
    const whole = this.key && `${key} ${this.key}`
    const statement = keptStatement(this.#session.dialect, whole, build)
    return { text: statement.text, parameters: valuesToBind(statement, this.#told) }
  }

  /** Whether the columns are all of the table, in their order. */
  get #areAll(): boolean {
    const { columns = [], schema } = this.#asked
    return (
      columns.length === schema.columns.length && columns.every(({ index }, at) => index === at)
    )
  }

  get #keyOfColumns(): string {
    const { columns } = this.#asked
    if (!columns) return 'alone'
    return this.#areAll ? 'along' : keyOf(columns)
  }

  /** What a select lists of each record, before what orders it. */
  get #listed(): readonly TypedColumn[] {
    const { columns } = this.#asked
    return columns && !this.#isLookedUp ? [...readColumns, ...columns] : [id, autoNumber]
  }

  get #termNames(): readonly RawBuilder<unknown>[] {
    return this.terms.map((_, index) => termName(index))
  }

  #withCells(rows: RawBuilder<unknown>, length: number): RawBuilder<unknown> {
    const { dialect } = this.#session
    const { columns, schema } = this.#asked
    if (!columns) return rows
    if (this.#isLookedUp) {
      const cells = [...readColumns, ...columns].map((column) => dialect.values.read(column, 't'))
      const terms = this.#termNames.map((name) => sql`p.${name}`)
      const { name } = recordTableOf(schema, dialect)
      // A cross join is made in the order in which it stands there, so that the rows keep theirs.
      return sql`select ${sql.join([...cells, ...terms])} from (${rows}) as p cross join ${name} as t where t.${sql.id(autoNumber.name)} = p.${numberName}`
    }
    return measuredRows(dialect, {
      rows,
      columns: this.#listed.map(({ type }, index) => ({ name: `r${index}`, type })),
      names: this.names,
      order: this.orderOfListed,
      key: numberName,
      length,
    })
  }

  #toFound(row: readonly unknown[]): PageRecord {
    const values = this.#toValues(row, 2)
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
