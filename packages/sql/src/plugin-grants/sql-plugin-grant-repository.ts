import type { Lock } from '@gateleg/domain/access/lock'
import type { PluginGrant } from '@gateleg/domain/plugin-grants/plugin-grant'
import type {
  GrantsOfUser,
  PluginGrantRepository,
} from '@gateleg/domain/plugin-grants/plugin-grant-repository'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom, deleteFrom, deleteOldestOf } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertInto, valuesOf } from '../core/own-tables/insert-row.ts'
import { listTokensOf, noteTokenUse } from '../core/own-tables/token-rows.ts'
import type { SqlSession } from '../core/session.ts'
import { type PluginGrantRow, pluginGrantColumns } from '../metadata/tables/plugin-grant-table.ts'

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

const listOf = listTokensOf('plugin_grants')

const noteUse = noteTokenUse('plugin_grants')

const remove = deleteFrom('plugin_grants', 'id')

const removeOldest = deleteOldestOf('plugin_grants')

const removeOldestThere = deleteOldestOf('plugin_grants', {
  plugin_id: 'pluginId',
  base_id: 'baseId',
})

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

  async listOf(userId: string): Promise<readonly PluginGrant[]> {
    return (await this.#session.all(listOf, { userId })).map(pluginGrantColumns.toEntity)
  }

  async insert(grant: PluginGrant): Promise<void> {
    await this.#session.run(insert, pluginGrantColumns.toRow(grant))
  }

  async update(grant: PluginGrant): Promise<void> {
    await this.#session.run(update, pluginGrantColumns.toRow(grant))
  }

  async noteUse(id: string, now: string, before: string): Promise<void> {
    await this.#session.run(noteUse, { id, now, before })
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async deleteOldest(whose: GrantsOfUser, kept: number): Promise<void> {
    const statement = 'pluginId' in whose ? removeOldestThere : removeOldest
    await this.#session.run(statement, { ...whose, kept })
  }

  deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(removeExpired, { before, most })
  }
}
