import type { FilledCount, RecordScanner, ScanStep } from '@gateleg/domain/records/record-scanner'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { SqlSession } from '../core/session.ts'
import { readPage } from './read-page.ts'
import { ReadStatements } from './read-statements.ts'

export class SqlRecordScanner implements RecordScanner {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  next(schema: TableSchema, step: ScanStep, columns?: readonly Column[]) {
    return readPage(this.#session, schema, { ...step, skip: 0 }, columns)
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

  #statements(schema: TableSchema): ReadStatements {
    return new ReadStatements(schema, this.#session.dialect)
  }
}
