import type { Lock } from '@gateleg/domain/access/lock'
import type { OAuthGrant } from '@gateleg/domain/oauth-grants/oauth-grant'
import type {
  GrantsAtStage,
  OAuthGrantRepository,
} from '@gateleg/domain/oauth-grants/oauth-grant-repository'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom, deleteFrom, deleteOldestOf } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertInto, valuesOf } from '../core/own-tables/insert-row.ts'
import { listTokensOf, noteTokenUse } from '../core/own-tables/token-rows.ts'
import type { SqlSession } from '../core/session.ts'
import { type OAuthGrantRow, oauthGrantColumns } from '../metadata/tables/oauth-tables.ts'

const findBy = findById('oauth_grants')

const insert = insertInto('oauth_grants', oauthGrantColumns)

const changing = [
  'stage',
  'is_proven',
  'trade_hash',
  'access_hash',
  'access_expires_time',
  'expires_time',
] as const

const update = prepared<OAuthGrantRow, unknown>((db, value) =>
  db.updateTable('oauth_grants').set(valuesOf(changing, value)).where('id', '=', value('id')),
)

const listOf = listTokensOf('oauth_grants')

const noteUse = noteTokenUse('oauth_grants')

const remove = deleteFrom('oauth_grants', 'id')
const removeOfUser = deleteFrom('oauth_grants', 'user_id')

const removeOfClient = prepared<{ userId: string; clientId: string }, unknown>((db, value) =>
  db
    .deleteFrom('oauth_grants')
    .where('user_id', '=', value('userId'))
    .where('client_id', '=', value('clientId')),
)

const removeOldest = deleteOldestOf('oauth_grants', { stage: 'stage' })

const removeOldestOfClient = deleteOldestOf('oauth_grants', {
  stage: 'stage',
  client_id: 'clientId',
})

const removeExpired = deleteExpiredFrom('oauth_grants')

export class SqlOAuthGrantRepository implements OAuthGrantRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<OAuthGrant | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && oauthGrantColumns.toEntity(row)
  }

  async listOf(userId: string): Promise<readonly OAuthGrant[]> {
    return (await this.#session.all(listOf, { userId })).map(oauthGrantColumns.toEntity)
  }

  async insert(grant: OAuthGrant): Promise<void> {
    await this.#session.run(insert, oauthGrantColumns.toRow(grant))
  }

  async update(grant: OAuthGrant): Promise<void> {
    await this.#session.run(update, oauthGrantColumns.toRow(grant))
  }

  async noteUse(id: string, now: string, before: string): Promise<void> {
    await this.#session.run(noteUse, { id, now, before })
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.#session.run(removeOfUser, { id: userId })
  }

  async deleteOfClient(whose: {
    readonly userId: string
    readonly clientId: string
  }): Promise<void> {
    await this.#session.run(removeOfClient, whose)
  }

  async deleteOldest({ clientId, ...whose }: GrantsAtStage, kept: number): Promise<void> {
    if (clientId === undefined) await this.#session.run(removeOldest, { ...whose, kept })
    else await this.#session.run(removeOldestOfClient, { ...whose, clientId, kept })
  }

  deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(removeExpired, { before, most })
  }
}
