import { searchDefinition } from '@gateleg/domain/indexes/search-cover'
import type { TableIndex } from '@gateleg/domain/indexes/table-index'
import type { TableIndexRepository } from '@gateleg/domain/indexes/table-index-repository'
import { searchKey } from '@gateleg/domain/schemas/search-key'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { sha256 } from '@gateleg/domain/values/bytes/sha256'
import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../core/database.ts'
import { saveInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import type { IndexDemands } from '../index-demand/index-demand.ts'
import { type TableIndexRow, tableIndexColumns } from '../metadata/tables/table-index-table.ts'
import { recordTableOf } from '../record-tables/record-table.ts'
import { columnsAsTheyAre, createIndex, indexColumns } from './index-columns.ts'

const listOf = prepared<{ tableId: string }, TableIndexRow>((db, value) =>
  db
    .selectFrom('table_indexes')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .orderBy('name'),
)

const find = prepared<{ name: string }, TableIndexRow>((db, value) =>
  db.selectFrom('table_indexes').selectAll().where('name', '=', value('name')),
)

const listUnchecked = prepared<{ before: string; most: number }, TableIndexRow>((db, value) =>
  db
    .selectFrom('table_indexes')
    .selectAll()
    .where('checked_time', '<', value('before'))
    .orderBy('checked_time')
    .orderBy('name')
    .limit(value('most')),
)

const save = saveInto('table_indexes', tableIndexColumns, 'name')

const forget = prepared<{ name: string }, unknown>((db, value) =>
  db.deleteFrom('table_indexes').where('name', '=', value('name')),
)

/** Digits, in base 16, that tell an index from the others of its table. */
const digestLength = 12

export class SqlTableIndexRepository implements TableIndexRepository {
  readonly #session: SqlSession
  readonly #demand: IndexDemands

  constructor(session: SqlSession, demand: IndexDemands) {
    this.#session = session
    this.#demand = demand
  }

  takeDemand(times: number) {
    return this.#demand.take(times)
  }

  nameOf(tableId: string, key: string): string {
    return `${tableId}_i${sha256(key).slice(0, digestLength)}`
  }

  async listOf(tableId: string): Promise<readonly TableIndex[]> {
    return (await this.#session.all(listOf, { tableId })).map(tableIndexColumns.toEntity)
  }

  async find(name: string): Promise<TableIndex | undefined> {
    const row = await this.#session.first(find, { name })
    return row && tableIndexColumns.toEntity(row)
  }

  async listUnchecked(before: string, most: number): Promise<readonly TableIndex[]> {
    const rows = await this.#session.all(listUnchecked, { before, most })
    return rows.map(tableIndexColumns.toEntity)
  }

  async save(index: TableIndex): Promise<void> {
    await this.#session.run(save, tableIndexColumns.toRow(index))
  }

  async forget(name: string): Promise<void> {
    await this.#session.run(forget, { name })
  }

  get recordsMax(): number {
    return this.#session.dialect.tables.indexes.recordsMax
  }

  definitionOf(schema: TableSchema, key: string): string | undefined {
    const { dialect } = this.#session
    // Letters that are new to a version of Unicode are folded in another way than before.
    if (key === searchKey) return `${dialect.tables.indexes.unicode}\n${searchDefinition(schema)}`
    const columns = indexColumns(schema, key, dialect)
    return columns && `${dialect.tables.indexes.version} ${columns}`
  }

  async build(schema: TableSchema, { name, key, baseId }: TableIndex): Promise<boolean> {
    const { dialect, connection } = this.#session
    const columns = indexColumns(schema, key, dialect)
    if (columns === undefined || !(await dialect.locks.hold(connection, name))) return false
    const { indexes } = dialect.tables
    // A process that ended over it may have left one that is not whole.
    await this.#session.define(this.#dropSql(baseId, name))
    const table = recordTableOf(schema, dialect).name
    const { besideOthers } = indexes
    await this.#session.define(createIndex({ name, table, columns, besideOthers }))
    const look = indexes.look(table, columnsAsTheyAre(schema, key, dialect))
    if (look) await this.#session.define(look)
    return true
  }

  async drop({ name, baseId }: TableIndex): Promise<boolean> {
    const { dialect, connection } = this.#session
    if (!(await dialect.locks.hold(connection, name))) return false
    await this.#session.define(this.#dropSql(baseId, name))
    return true
  }

  #dropSql(baseId: string, name: string): RawBuilder<unknown> {
    const { tables } = this.#session.dialect
    return sql`drop index ${tables.indexes.besideOthers} if exists ${tables.indexNamed(baseId, name)}`
  }
}
