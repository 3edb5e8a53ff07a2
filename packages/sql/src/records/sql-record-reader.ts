import type { Lock } from '@gateleg/domain/access/lock'
import type { Cell } from '@gateleg/domain/fields/cell'
import type {
  RecordRange,
  RecordReader,
  RecordsToChange,
  SharedCells,
} from '@gateleg/domain/records/reading/record-reader'
import type { RecordParts } from '@gateleg/domain/records/reading/record-scanner'
import type { RecordBatch } from '@gateleg/domain/records/stored/record-batch'
import type { StoredRecord } from '@gateleg/domain/records/stored/stored-record'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { sql } from 'kysely'
import type { SqlSession } from '../core/session.ts'
import type { BoundedSelect } from '../core/statements/bounded-select.ts'
import { isLiving } from '../record-tables/is-living.ts'
import type { Schemas } from '../record-tables/schema-cache.ts'
import { decodeCell, encodeCell } from '../record-tables/stored-cells.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { readBatch, readInTurns } from './read-in-turns.ts'
import { readPage } from './read-page.ts'
import { ReadStatements } from './read-statements.ts'
import { type RowForm, toRecords } from './stored-rows.ts'

/** A record that was asked for before it was known whether the schema is the table's. */
interface Ahead {
  readonly tag: string
  readonly recordId: string
  readonly lock: Lock
  readonly rows: Promise<readonly (readonly unknown[])[]>
  readonly sentMs: number
}

export class SqlRecordReader implements RecordReader {
  readonly #session: SqlSession
  readonly #schemas: Schemas
  #ahead: Ahead | undefined

  constructor(session: SqlSession, schemas: Schemas) {
    this.#session = session
    this.#schemas = schemas
  }

  readAhead(tableId: string, recordId: string, lock: Lock): void {
    const { connection } = this.#session
    const schema = connection.mayReadAhead ? this.#schemas.latestOf(tableId) : undefined
    if (!schema) return
    const sentMs = this.#session.nowMs
    const rows = connection.rows(this.#statements(schema).find(lock), [recordId])
    // Who never asks for it never hears that it failed; where that is because the table was changed, it isn't asked for so again.
    rows.catch(() => this.#schemas.forgetLatest(tableId))
    this.#ahead = { tag: schema.tag, recordId, lock, rows, sentMs }
  }

  async find(schema: TableSchema, recordId: string, lock: Lock): Promise<StoredRecord | undefined> {
    const ahead = this.#ahead
    const isAhead = ahead?.tag === schema.tag && ahead.recordId === recordId && ahead.lock === lock
    const session = this.#session
    const reading = isAhead
      ? ahead.rows
      : session.connection.rows(this.#statements(schema).find(lock), [recordId])
    const rows = await session.records(lock, reading, isAhead ? ahead.sentMs : undefined)
    const [record] = await toRecords(session, schema, rows)
    return record
  }

  findAll(
    schema: TableSchema,
    recordIds: readonly string[],
    lock: Lock,
    columns?: readonly Column[],
  ) {
    const statement = this.#statements(schema).findAll(lock, columns)
    return this.#session.records(lock, this.#byIds(schema, statement, recordIds, columns))
  }

  findToChange(
    schema: TableSchema,
    recordIds: readonly string[],
    columns: readonly Column[],
    parts: RecordParts = 'all',
  ) {
    const form = { parts, withBytes: true }
    const statement = this.#statements(schema).findToChange(columns, form)
    const reading = this.#byIds(schema, statement, recordIds, columns, form)
    return this.#session.records('update', reading)
  }

  async findToShare(
    schema: TableSchema,
    { link, foreignId, most, columns, values }: SharedCells,
  ): Promise<RecordsToChange> {
    const sql = this.#statements(schema).findToShare(link, columns)
    const shared = values.map((value, index) => encodeCell(value, columns[index]?.type ?? 'TEXT'))
    const reading = this.#session.connection.rows(sql, [...shared, foreignId, most])
    const [row] = await this.#session.records('update', reading)
    const [lookedAt, ids, autoNumbers, bytes] = row ?? []
    return {
      lookedAt: Number(lookedAt),
      ids: listIn(ids),
      autoNumbers: listIn(autoNumbers),
      bytes: listIn(bytes),
    }
  }

  findDeleted(schema: TableSchema, recordIds: readonly string[], columns: readonly Column[]) {
    return this.#byIds(schema, this.#statements(schema).findDeleted(columns), recordIds, columns)
  }

  #byIds(
    schema: TableSchema,
    statement: BoundedSelect,
    recordIds: readonly string[],
    columns: readonly Column[] | undefined,
    form?: RowForm,
  ): Promise<RecordBatch> {
    const cells = columns ?? schema.columns
    return readInTurns(statement, cells, { most: recordIds.length }, (until, last) => {
      const asked = last ? recordIds.filter((id) => id > last.id) : recordIds
      return readBatch(this.#session, schema, statement, [asked], until, columns, form)
    })
  }

  async deletionsOf(
    { baseId, physicalName }: Pick<TableSchema, 'baseId' | 'physicalName'>,
    recordIds: readonly string[],
    lock: Lock = 'none',
  ) {
    if (recordIds.length === 0) return new Map<string, string>()
    const { dialect } = this.#session
    const table = dialect.tables.named(baseId, physicalName)
    const { id, deletionId } = systemColumns
    const isAsked = sql`not (${isLiving}) and ${dialect.lists.isIn(id.name, recordIds)}`
    // Whoever holds several takes them in one order.
    const held = sql`order by ${sql.id(id.name)} ${dialect.locks.clause(lock, 't')}`
    const reading = this.#session.allOnce<{ record_id: string; operation_id: string }>(
      sql`select ${sql.id(id.name)} as record_id, ${sql.id(deletionId.name)} as operation_id from ${table} as t where ${isAsked} ${lock === 'none' ? sql`` : held}`,
    )
    const rows = await this.#session.records(lock, reading)
    return new Map(rows.map((row) => [row.record_id, row.operation_id]))
  }

  async isDeleted(schema: TableSchema, recordId: string): Promise<boolean> {
    const { isDeleted } = this.#statements(schema)
    return (await this.#session.connection.rows(isDeleted, [recordId])).length > 0
  }

  page(schema: TableSchema, query: RecordRange) {
    return readPage(this.#session, schema, query)
  }

  async findByText(schema: TableSchema, column: Column, texts: readonly string[]) {
    if (texts.length === 0) return []
    const sql = this.#statements(schema).findByText(column)
    const rows = await this.#session.connection.rows(sql, [texts])
    return rows.map(([recordId, value]) => ({
      recordId: recordId as string,
      value: value as string,
    }))
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

  #statements(schema: TableSchema): ReadStatements {
    return new ReadStatements(schema, this.#session.dialect)
  }
}

/** The list that an aggregate answers; null where there were no rows. */
function listIn<Item>(value: unknown): readonly Item[] {
  return typeof value === 'string' ? JSON.parse(value) : []
}
