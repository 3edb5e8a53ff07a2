import type { Lock } from '@gateleg/domain/access/lock'
import type { AccessToken } from '@gateleg/domain/access-tokens/access-token'
import type { AccessTokenRepository } from '@gateleg/domain/access-tokens/access-token-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertInto, valuesOf } from '../core/own-tables/insert-row.ts'
import { listTokensOf, noteTokenUse } from '../core/own-tables/token-rows.ts'
import type { SqlSession } from '../core/session.ts'
import { type AccessTokenRow, accessTokenColumns } from '../metadata/tables/access-token-table.ts'

const findBy = findById('access_tokens')

const listOf = listTokensOf('access_tokens')

const insert = insertInto('access_tokens', accessTokenColumns)

const changing = accessTokenColumns.except('id', 'user_id', 'created_time', 'last_used_time')

const update = prepared<AccessTokenRow, unknown>((db, value) =>
  db.updateTable('access_tokens').set(valuesOf(changing, value)).where('id', '=', value('id')),
)

const remove = deleteFrom('access_tokens', 'id')

const removeOfUser = deleteFrom('access_tokens', 'user_id')

const noteUse = noteTokenUse('access_tokens')

export class SqlAccessTokenRepository implements AccessTokenRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<AccessToken | undefined> {
    const row = await this.#session[lock === 'none' ? 'firstOften' : 'first'](findBy[lock], { id })
    return row && accessTokenColumns.toEntity(row)
  }

  async listOf(userId: string): Promise<readonly AccessToken[]> {
    return (await this.#session.all(listOf, { userId })).map((row) =>
      accessTokenColumns.toEntity(row),
    )
  }

  async insert(token: AccessToken): Promise<void> {
    await this.#session.run(insert, accessTokenColumns.toRow(token))
  }

  async update(token: AccessToken): Promise<void> {
    await this.#session.run(update, accessTokenColumns.toRow(token))
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.#session.run(removeOfUser, { id: userId })
  }

  async noteUse(id: string, now: string, before: string): Promise<void> {
    await this.#session.run(noteUse, { id, now, before })
  }
}
