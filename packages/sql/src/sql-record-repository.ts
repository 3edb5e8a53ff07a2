import type { Lock } from '@gateleg/domain/access/access-repository'
import { invalidAt } from '@gateleg/domain/errors'
import type { Cell } from '@gateleg/domain/fields/field-type'
import type { Column, TableSchema } from '@gateleg/domain/fields/table-schema'
import type {
  RecordChange,
  RecordPage,
  RecordRepository,
} from '@gateleg/domain/records/record-repository'
import type { NewRecord, StoredRecord } from '@gateleg/domain/records/stored-record'
import type { Deletion } from '@gateleg/domain/trash/deletion'
import { SqlFailure, type SqlFailureKind } from './connection.ts'
import type { SqlDialect } from './dialect.ts'
import { RecordStatements, systemColumnsRead } from './record-statements.ts'
import type { SqlSession } from './session.ts'
import { decodeCell, encodeCell, systemColumns } from './user-table.ts'

const statementsBySchema = new WeakMap<TableSchema, Map<SqlDialect, RecordStatements>>()

export class SqlRecordRepository implements RecordRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(schema: TableSchema, recordId: string, lock: Lock): Promise<StoredRecord | undefined> {
    const sql = this.#statements(schema).find[lock]
    const [row] = await this.#session.connection.rows(sql, [recordId])
    return row && toRecord(schema, row)
  }

  async findAll(schema: TableSchema, recordIds: readonly string[], lock: Lock) {
    const sql = this.#statements(schema).findAll(lock)
    const rows = await this.#session.connection.rows(sql, [recordIds])
    return rows.map((row) => toRecord(schema, row))
  }

  async page(schema: TableSchema, { after, skip, take }: RecordPage) {
    const sql = this.#statements(schema).page
    const rows = await this.#session.connection.rows(sql, [after, take, skip])
    return rows.map((row) => toRecord(schema, row))
  }

  async findHolders(schema: TableSchema, column: Column, values: readonly Cell[]) {
    if (values.length === 0) return []
    const sql = this.#statements(schema).findHolders(column)
    const rows = await this.#session.connection.rows(sql, [values])
    return rows.map(([recordId, value]) => ({
      recordId: recordId as string,
      value: decodeCell(value, column.type) as Cell,
    }))
  }

  async insert(schema: TableSchema, records: readonly NewRecord[]): Promise<readonly number[]> {
    const statements = this.#statements(schema)
    if (this.#session.dialect.insertsOneByOne) {
      return this.#insertOneByOne(statements, schema, records)
    }
    const numbers = new Map<string, number>()
    await this.#inChunks(records, statements.insertColumns.length, async (chunk) => {
      const sql = statements.insert(chunk.length)
      const rows = chunk.map((record) => toNewRow(schema, record))
      const values = this.#session.dialect.bindRows(statements.insertColumns, rows)
      for (const [id, number] of await this.#write(() =>
        this.#session.connection.rows(sql, values),
      )) {
        numbers.set(id as string, Number(number))
      }
    })
    return records.map(({ id }) => numbers.get(id) ?? 0)
  }

  async #insertOneByOne(
    { insertOne, lastNumber }: RecordStatements,
    schema: TableSchema,
    records: readonly NewRecord[],
  ): Promise<readonly number[]> {
    const { connection } = this.#session
    await this.#write(async () => {
      for (const record of records) await connection.run(insertOne, toNewRow(schema, record))
    })
    const [row] = await connection.rows(lastNumber, [])
    const before = Number(row?.[0]) - records.length
    return records.map((_, index) => before + index + 1)
  }

  async update(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    by: { readonly userId: string; readonly time: string },
  ): Promise<void> {
    const statements = this.#statements(schema)
    const rowColumns = [systemColumns.id, ...columns]
    await this.#inChunks(changes, rowColumns.length, async (chunk) => {
      const rows = chunk.map(({ recordId, values }) => [
        recordId,
        ...values.map((cell, index) => encodeCell(cell, columns[index]?.type ?? 'TEXT')),
      ])
      const sql = statements.update(columns, chunk.length)
      const values = [by.userId, by.time, ...this.#session.dialect.bindRows(rowColumns, rows)]
      await this.#write(() => this.#session.connection.run(sql, values))
    })
  }

  async fill(schema: TableSchema, column: Column, value: Cell): Promise<void> {
    const sql = this.#statements(schema).fill(column)
    await this.#session.connection.run(sql, [encodeCell(value, column.type)])
  }

  async markDeleted(schema: TableSchema, recordIds: readonly string[], deletion: Deletion) {
    const values = [deletion.operationId, deletion.time, deletion.userId, recordIds]
    await this.#session.connection.run(this.#statements(schema).markDeleted, values)
  }

  #statements(schema: TableSchema): RecordStatements {
    const { dialect } = this.#session
    const byDialect = statementsBySchema.get(schema) ?? new Map<SqlDialect, RecordStatements>()
    statementsBySchema.set(schema, byDialect)
    const statements = byDialect.get(dialect) ?? new RecordStatements(schema, dialect)
    byDialect.set(dialect, statements)
    return statements
  }

  async #inChunks<T>(
    items: readonly T[],
    columns: number,
    work: (chunk: readonly T[]) => Promise<void>,
  ): Promise<void> {
    for (let start = 0; start < items.length; ) {
      const count = this.#session.dialect.rowsPerStatement(columns, items.length - start)
      await work(items.slice(start, start + count))
      start += count
    }
  }

  /** Checks come before a write; what the storage refuses all the same is another's write in between. */
  async #write<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      const message = error instanceof SqlFailure ? refusals[error.kind] : undefined
      throw message === undefined ? error : invalidAt([], message)
    }
  }
}

const refusals: Partial<Record<SqlFailureKind, string>> = {
  unique: 'a value must be unique: another record has it',
  check: 'a required cell must not be empty',
  tooLarge: 'a record has more in its cells than a row can hold',
}

/** The values of a new record, in the order of `insertColumns`. */
function toNewRow({ columns }: TableSchema, record: NewRecord): unknown[] {
  const { id, createdTime, lastModifiedTime, createdBy, lastModifiedBy, version, cells } = record
  const row: unknown[] = [id, createdTime, lastModifiedTime, createdBy, lastModifiedBy, version]
  for (const { column } of columns) {
    row.push(encodeCell(cells[column.index] ?? null, column.type))
  }
  return row
}

function toRecord(schema: TableSchema, row: readonly unknown[]): StoredRecord {
  return {
    id: row[0] as string,
    autoNumber: Number(row[1]),
    createdTime: row[2] as string,
    lastModifiedTime: row[3] as string,
    createdBy: row[4] as string,
    lastModifiedBy: row[5] as string,
    version: Number(row[6]),
    cells: schema.columns.map(({ column }) =>
      decodeCell(row[systemColumnsRead + column.index], column.type),
    ),
  }
}
