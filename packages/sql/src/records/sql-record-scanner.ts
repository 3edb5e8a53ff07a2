import type {
  FilledCount,
  RecordScanner,
  ScanStep,
} from '@gateleg/domain/records/reading/record-scanner'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { SqlSession } from '../core/session.ts'
import type { Schemas } from '../record-tables/schema-cache.ts'
import { readPage } from './read-page.ts'
import { ReadStatements } from './read-statements.ts'

/** The greatest number that each table was seen to have. */
const numbersSeen = new WeakMap<TableSchema, number>()

export class SqlRecordScanner implements RecordScanner {
  readonly #session: SqlSession
  readonly #schemas: Schemas
  /** The greatest number of a table, asked for before it was known whether the schema is the table's. */
  #ahead: { readonly tag: string; readonly number: Promise<number> } | undefined

  constructor(session: SqlSession, schemas: Schemas) {
    this.#session = session
    this.#schemas = schemas
  }

  next(schema: TableSchema, step: ScanStep, columns?: readonly Column[]) {
    const reading = readPage(this.#session, schema, { ...step, skip: 0, columns })
    return this.#session.records(step.lock ?? 'none', reading)
  }

  async count(schema: TableSchema, most: number, scope?: 'withDeleted'): Promise<number> {
    const sql = this.#statements(schema).count(scope === 'withDeleted')
    const [row] = await this.#session.connection.rows(sql, [most])
    return Number(row?.[0])
  }

  async countFilled(schema: TableSchema, column: Column, most: number): Promise<FilledCount> {
    const sql = this.#statements(schema).countFilled(column)
    const [row] = await this.#session.connection.rows(sql, [most])
    const [all, living] = [Number(row?.[0]), Number(row?.[1])]
    return { living, deleted: all - living }
  }

  async lastNumber(schema: TableSchema): Promise<number> {
    const [row] = await this.#session.connection.rows(this.#statements(schema).lastNumber, [])
    return Number(row?.[0])
  }

  async hasHad(schema: TableSchema, records: number): Promise<boolean> {
    if (hasShown(schema, records)) return true
    const ahead = this.#ahead
    const number = await (ahead?.tag === schema.tag ? ahead.number : this.lastNumber(schema))
    numbersSeen.set(schema, number)
    return number > records
  }

  readAhead(tableId: string, records: number): void {
    const { mayReadAhead } = this.#session.connection
    const schema = mayReadAhead ? this.#schemas.latestOf(tableId) : undefined
    if (!schema || hasShown(schema, records)) return
    const number = this.lastNumber(schema)
    // Who never asks never hears that it failed; where that is because the table was changed, it isn't asked for so again.
    number.catch(() => this.#schemas.forgetLatest(tableId))
    this.#ahead = { tag: schema.tag, number }
  }

  #statements(schema: TableSchema): ReadStatements {
    return new ReadStatements(schema, this.#session.dialect)
  }
}

function hasShown(schema: TableSchema, records: number): boolean {
  return (numbersSeen.get(schema) ?? 0) > records
}
