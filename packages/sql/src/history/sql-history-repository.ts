import type { HistoryPlace, RecordHistory } from '@gateleg/domain/history/history-entry'
import type {
  HistoryPart,
  HistoryRepository,
  HistoryTable,
} from '@gateleg/domain/history/history-repository'
import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../core/database.ts'
import { Place } from '../core/dialect/place.ts'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import type { SqlSession } from '../core/session.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { inChunks } from '../core/statements/in-chunks.ts'
import { slicesBySize } from '../core/statements/slices-by-size.ts'
import { StatementTexts } from '../core/statements/statement-texts.ts'
import type { Schemas } from '../record-tables/schema-cache.ts'
import { ChangesWriter, readChanges } from './stored-changes.ts'

/** The columns of a table's history; the first three tell a change from all others, and order them. */
export const historyColumns = [
  { name: 'time', type: 'INTEGER' },
  { name: 'record_number', type: 'INTEGER' },
  { name: 'version', type: 'INTEGER' },
  { name: 'record_id', type: 'TEXT' },
  { name: 'user_id', type: 'TEXT' },
  { name: 'changes', type: 'TEXT' },
] as const

const columns = historyColumns
const [time, recordNumber, version] = columns
const key = [time, recordNumber, version] as const
const keyNames = nameList(key)
const descending = sql.join(key.map(({ name }) => sql`${sql.id(name)} desc`))

const find = prepared<{ id: string }, { table_id: string }>((db, value) =>
  db.selectFrom('history_tables').select('table_id').where('table_id', '=', value('id')),
)

const insert = prepared<{ id: string; baseId: string; trimTime: string }, unknown>((db, value) =>
  db
    .insertInto('history_tables')
    .values({ table_id: value('id'), base_id: value('baseId'), trim_time: value('trimTime') }),
)

const next = prepared<{ by: string }, { id: string; baseId: string }>((db, value) =>
  db
    .selectFrom('history_tables')
    .select(['table_id as id', 'base_id as baseId'])
    .where('trim_time', '<=', value('by'))
    .orderBy('trim_time')
    .orderBy('table_id')
    .limit(1),
)

const putOff = prepared<{ id: string; time: string }, unknown>((db, value) =>
  db
    .updateTable('history_tables')
    .set({ trim_time: value('time') })
    .where('table_id', '=', value('id')),
)

const remove = deleteFrom('history_tables', 'table_id')

/** Keeps the changes to the records of each table in a table of their own, beside it. */
export class SqlHistoryRepository implements HistoryRepository {
  readonly #session: SqlSession
  readonly #schemas: Schemas

  constructor(session: SqlSession, schemas: Schemas) {
    this.#session = session
    this.#schemas = schemas
  }

  async list(
    table: HistoryTable,
    { autoNumber, sinceMs, from, most }: HistoryPart,
  ): Promise<readonly RecordHistory[]> {
    if (!(await this.#isThere(table))) return []
    const isOfOne = autoNumber !== undefined
    const text = this.#texts(table).of(isOfOne ? 'list one' : 'list', () => {
      const places = sql.join(key.map(({ type }) => this.#value(type)))
      const since = sql`${sql.id(time.name)} >= ${this.#value(time.type)}`
      const ofOne = sql` and ${sql.id(recordNumber.name)} = ${this.#value(recordNumber.type)}`
      return sql`select ${nameList(columns)} from ${this.#name(table)} where (${keyNames}) <= (${places}) and ${since}${isOfOne ? ofOne : sql``} order by ${descending} limit ${new Place()}`
    })
    const values = [from.timeMs, from.autoNumber, from.version, sinceMs]
    const rows = await this.#session.connection.rows(text, [
      ...values,
      ...(isOfOne ? [autoNumber] : []),
      most,
    ])
    return rows.map(toHistory)
  }

  async add(
    table: HistoryTable,
    changes: readonly RecordHistory[],
    trimTime: string,
  ): Promise<void> {
    await this.#makePlace(table, trimTime)
    await this.#insert(table, changes)
  }

  async begin(table: HistoryTable, trimTime: string): Promise<void> {
    await this.#create(table, trimTime)
  }

  async #insert(table: HistoryTable, changes: readonly RecordHistory[]): Promise<void> {
    const { connection, dialect } = this.#session
    const writer = new ChangesWriter()
    const rows = changes.map((one) => toRow(one, writer))
    for (const slice of slicesBySize(dialect.rows.lengthPerStatement, rows, (row) => row)) {
      await inChunks(dialect, slice, columns.length, async (chunk) => {
        const text = this.#texts(table).of(`add ${dialect.rows.shape(chunk.length)}`, () => {
          const values = sql`select ${nameList(columns)} from ${dialect.rows.table('v', columns, chunk.length)}`
          return sql`insert into ${this.#name(table)} (${nameList(columns)}) ${values} where true on conflict (${keyNames}) do nothing`
        })
        await connection.run(text, dialect.rows.bind(columns, chunk))
      })
    }
  }

  async nextToTrim(by: string): Promise<HistoryTable | undefined> {
    return this.#session.first(next, { by })
  }

  async trimAgainAt({ id }: HistoryTable, time: string): Promise<void> {
    await this.#session.run(putOff, { id, time })
  }

  async removeSome(table: HistoryTable, beforeMs: number, most: number): Promise<boolean> {
    if (!(await this.#isThere(table))) return false
    return (await this.#removeOldest(table, beforeMs, most)) === most
  }

  async removeOfRecords(
    table: HistoryTable,
    autoNumbers: readonly number[],
    most: number,
  ): Promise<boolean> {
    if (autoNumbers.length === 0 || !(await this.#isThere(table))) return false
    const text = this.#texts(table).of('remove of records', () => {
      const isOfThem = this.#session.dialect.lists.includes(new Place(), recordNumber)
      const some = sql`select ${keyNames} from ${this.#name(table)} where ${isOfThem} order by ${keyNames} limit ${new Place()}`
      return sql`delete from ${this.#name(table)} where (${keyNames}) in (${some})`
    })
    return (await this.#session.connection.run(text, [autoNumbers, most])) === most
  }

  async replace(table: HistoryTable, changes: readonly RecordHistory[]): Promise<void> {
    if (changes.length === 0 || !(await this.#isThere(table))) return
    const { connection, dialect } = this.#session
    const keys = changes.map(({ timeMs, autoNumber, version }) => [timeMs, autoNumber, version])
    await inChunks(dialect, keys, key.length, async (chunk) => {
      const text = this.#texts(table).of(`remove these ${dialect.rows.shape(chunk.length)}`, () => {
        const these = sql`select ${keyNames} from ${dialect.rows.table('v', key, chunk.length)}`
        return sql`delete from ${this.#name(table)} where (${keyNames}) in (${these})`
      })
      await connection.run(text, dialect.rows.bind(key, chunk))
    })
    const left = changes.filter((one) => one.changes.length > 0)
    if (left.length > 0) await this.#insert(table, left)
  }

  async dropSome(table: HistoryTable, most: number): Promise<boolean> {
    const { dialect } = this.#session
    const names = await this.#session.allOnce(dialect.tables.columns(table.baseId, nameOf(table)))
    if (names.length > 0) {
      if (dialect.tables.dropsRowByRow) {
        const removed = await this.#removeOldest(table, Number.MAX_SAFE_INTEGER, most)
        if (removed === most) return true
      }
      await this.#session.define(sql`drop table ${this.#name(table)}`)
    }
    await this.#session.run(remove, { id: table.id })
    return false
  }

  async #removeOldest(table: HistoryTable, beforeMs: number, most: number): Promise<number> {
    const text = this.#texts(table).of('remove', () => {
      const isOld = sql`${sql.id(time.name)} < ${this.#value(time.type)}`
      const some = sql`select ${keyNames} from ${this.#name(table)} where ${isOld} order by ${keyNames} limit ${new Place()}`
      return sql`delete from ${this.#name(table)} where (${keyNames}) in (${some})`
    })
    return this.#session.connection.run(text, [beforeMs, most])
  }

  async #isThere({ id }: HistoryTable): Promise<boolean> {
    if (this.#schemas.hasHistory(id)) return true
    return (await this.#session.first(find, { id })) !== undefined
  }

  async #makePlace(table: HistoryTable, trimTime: string): Promise<void> {
    if (this.#schemas.hasHistory(table.id)) return
    const { connection, dialect } = this.#session
    if (!(await this.#isThere(table))) {
      // Of two who change the first cells of a table at the same time one waits here, and finds the place made.
      await dialect.locks.claim(connection, `history ${table.id}`)
      if (!(await this.#isThere(table))) await this.#create(table, trimTime)
    }
    this.#schemas.noteHistory(table.id)
  }

  async #create(table: HistoryTable, trimTime: string): Promise<void> {
    for (const statement of createHistoryTable(this.#session.dialect, table)) {
      await this.#session.define(statement)
    }
    const { id, baseId } = table
    await this.#session.run(insert, { id, baseId, trimTime })
  }

  #value(type: 'INTEGER'): RawBuilder<unknown> {
    return this.#session.dialect.values.bind(new Place(), type)
  }

  #name(table: HistoryTable): RawBuilder<unknown> {
    return this.#session.dialect.tables.named(table.baseId, nameOf(table))
  }

  #texts({ id, baseId }: HistoryTable): StatementTexts {
    return new StatementTexts(this.#session.dialect, `history ${baseId} ${id}`)
  }
}

/** The beginning of the name of a table's history, before the id of the table. */
export const historyTablePrefix = '__history_'

function nameOf({ id }: HistoryTable): string {
  return `${historyTablePrefix}${id}`
}

/** The statements that create the database table of a table's history. */
export function createHistoryTable(
  { tables }: SqlDialect,
  table: HistoryTable,
): readonly RawBuilder<unknown>[] {
  const name = tables.named(table.baseId, nameOf(table))
  const definitions = columns.map(
    ({ name, type }) => sql`${sql.id(name)} ${sql.raw(tables.columnTypes[type])} not null`,
  )
  const primary = sql`constraint ${sql.id(`${table.id}_history`)} primary key (${keyNames})`
  const ofRecord = nameList([recordNumber, time, version])
  return [
    sql`create table ${name} (${sql.join([...definitions, primary])})`,
    sql`create index ${sql.id(`${table.id}_history_records`)} on ${name} (${ofRecord})`,
  ]
}

type Row = readonly [number, number, number, string, string, string]

function toRow(of: RecordHistory, writer: ChangesWriter): Row {
  const changes = writer.write(of.changes)
  return [of.timeMs, of.autoNumber, of.version, of.recordId, of.userId, changes]
}

function toHistory(row: readonly unknown[]): RecordHistory {
  const [timeMs, autoNumber, version, recordId, userId, changes] = row as Row
  const place: HistoryPlace = {
    timeMs: Number(timeMs),
    autoNumber: Number(autoNumber),
    version: Number(version),
  }
  return { ...place, recordId, userId, changes: readChanges(changes) }
}
