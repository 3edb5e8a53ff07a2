import type { Lock } from '@gateleg/domain/access/lock'
import type { OAuthClient } from '@gateleg/domain/oauth-clients/oauth-client'
import type { OAuthClientRepository } from '@gateleg/domain/oauth-clients/oauth-client-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertInto, valuesOf } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type OAuthClientRow, oauthClientColumns } from '../metadata/tables/oauth-tables.ts'

const findBy = findById('oauth_clients')

const findAll = prepared<{ ids: readonly string[] }, OAuthClientRow>((db, value, dialect) =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where(dialect.lists.isIn('id', value('ids'))),
)

const listOf = prepared<{ userId: string }, OAuthClientRow>((db, value) =>
  db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('created_by', '=', value('userId'))
    .orderBy('created_time')
    .orderBy('id'),
)

const insert = insertInto('oauth_clients', oauthClientColumns)

const changing = oauthClientColumns.except('id', 'created_by', 'created_time')

const update = prepared<OAuthClientRow, unknown>((db, value) =>
  db.updateTable('oauth_clients').set(valuesOf(changing, value)).where('id', '=', value('id')),
)

const remove = deleteFrom('oauth_clients', 'id')
const removeOfUser = deleteFrom('oauth_clients', 'created_by')

export class SqlOAuthClientRepository implements OAuthClientRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<OAuthClient | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && oauthClientColumns.toEntity(row)
  }

  async findAll(ids: readonly string[]): Promise<readonly OAuthClient[]> {
    if (ids.length === 0) return []
    return (await this.#session.all(findAll, { ids })).map(oauthClientColumns.toEntity)
  }

  async listOf(userId: string): Promise<readonly OAuthClient[]> {
    return (await this.#session.all(listOf, { userId })).map(oauthClientColumns.toEntity)
  }

  async insert(client: OAuthClient): Promise<void> {
    await this.#session.run(insert, oauthClientColumns.toRow(client))
  }

  async update(client: OAuthClient): Promise<void> {
    await this.#session.run(update, oauthClientColumns.toRow(client))
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.#session.run(removeOfUser, { id: userId })
  }
}
