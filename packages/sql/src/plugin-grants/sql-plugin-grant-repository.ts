import type { Lock } from '@gateleg/domain/access/lock'
import type { PluginGrant } from '@gateleg/domain/plugin-grants/plugin-grant'
import type { PluginGrantRepository } from '@gateleg/domain/plugin-grants/plugin-grant-repository'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom, deleteOldestOf } from '../core/delete-rows.ts'
import { findById } from '../core/find-by-id.ts'
import { insertInto, valuesOf } from '../core/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type PluginGrantRow, pluginGrantColumns } from './plugin-grant-table.ts'

const findBy = findById('plugin_grants')

const insert = insertInto('plugin_grants', pluginGrantColumns)

const update = prepared<PluginGrantRow, unknown>((db, value) =>
  db
    .updateTable('plugin_grants')
    .set(
      valuesOf(
        ['scopes', 'trade_hash', 'access_hash', 'access_expires_time', 'expires_time'],
        value,
      ),
    )
    .where('id', '=', value('id')),
)

const removeOldest = deleteOldestOf('plugin_grants')

const removeExpired = deleteExpiredFrom('plugin_grants')

export class SqlPluginGrantRepository implements PluginGrantRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<PluginGrant | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && pluginGrantColumns.toEntity(row)
  }

  async insert(grant: PluginGrant): Promise<void> {
    await this.#session.run(insert, pluginGrantColumns.toRow(grant))
  }

  async update(grant: PluginGrant): Promise<void> {
    await this.#session.run(update, pluginGrantColumns.toRow(grant))
  }

  async deleteOldest(userId: string, kept: number): Promise<void> {
    await this.#session.run(removeOldest, { userId, kept })
  }

  deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(removeExpired, { before, most })
  }
}
