import type { Lock } from '@gateleg/domain/access/lock'
import type { Plugin } from '@gateleg/domain/plugins/plugin'
import type { PluginRepository } from '@gateleg/domain/plugins/plugin-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertInto, valuesOf } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type PluginRow, pluginColumns } from '../metadata/tables/plugin-table.ts'

const findBy = findById('plugins')

const findAll = prepared<{ ids: readonly string[] }, PluginRow>((db, value, dialect) =>
  db
    .selectFrom('plugins')
    .selectAll()
    .where(dialect.lists.isIn('id', value('ids'))),
)

/** The plugins in which the column has the value, oldest first. */
function listBy(column: 'created_by' | 'status') {
  return prepared<{ wanted: string }, PluginRow>((db, value) =>
    db
      .selectFrom('plugins')
      .selectAll()
      .where(column, '=', value('wanted') as never)
      .orderBy('created_time')
      .orderBy('id'),
  )
}

/** How many plugins have the value in the column. */
function countBy(column: 'created_by' | 'status') {
  return prepared<{ wanted: string }, { count: number | string }>((db, value) =>
    db
      .selectFrom('plugins')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where(column, '=', value('wanted') as never),
  )
}

const countByMaker = countBy('created_by')
const countByStatus = countBy('status')

const listByMaker = listBy('created_by')
const listByStatus = listBy('status')

const insert = insertInto('plugins', pluginColumns)

const changing = pluginColumns.except('id', 'created_by', 'created_time')

const update = prepared<PluginRow, unknown>((db, value) =>
  db.updateTable('plugins').set(valuesOf(changing, value)).where('id', '=', value('id')),
)

const remove = deleteFrom('plugins', 'id')

const removeUnpublished = prepared<{ userId: string }, unknown>((db, value) =>
  db
    .deleteFrom('plugins')
    .where('created_by', '=', value('userId'))
    .where('status', '!=', 'published'),
)

export class SqlPluginRepository implements PluginRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<Plugin | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && pluginColumns.toEntity(row)
  }

  async findAll(ids: readonly string[]): Promise<readonly Plugin[]> {
    return (await this.#session.all(findAll, { ids })).map(pluginColumns.toEntity)
  }

  async listOf(userId: string): Promise<readonly Plugin[]> {
    const rows = await this.#session.all(listByMaker, { wanted: userId })
    return rows.map(pluginColumns.toEntity)
  }

  async countOf(userId: string): Promise<number> {
    return Number((await this.#session.one(countByMaker, { wanted: userId })).count)
  }

  async countPublishedHeld(): Promise<number> {
    const { connection, dialect } = this.#session
    await dialect.locks.claim(connection, 'published plugins')
    return Number((await this.#session.one(countByStatus, { wanted: 'published' })).count)
  }

  async listPublished(): Promise<readonly Plugin[]> {
    const rows = await this.#session.all(listByStatus, { wanted: 'published' })
    return rows.map(pluginColumns.toEntity)
  }

  async insert(plugin: Plugin): Promise<void> {
    await this.#session.run(insert, pluginColumns.toRow(plugin))
  }

  async update(plugin: Plugin): Promise<void> {
    await this.#session.run(update, pluginColumns.toRow(plugin))
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async deleteUnpublishedOf(userId: string): Promise<void> {
    await this.#session.run(removeUnpublished, { userId })
  }
}
