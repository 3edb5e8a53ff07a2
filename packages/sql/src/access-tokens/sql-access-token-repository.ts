import type { Lock } from '@gateleg/domain/access/lock'
import type { AccessToken } from '@gateleg/domain/access-tokens/access-token'
import type { AccessTokenRepository } from '@gateleg/domain/access-tokens/access-token-repository'
import { prepared } from '../core/database.ts'
import type { AccessTokenRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

function findWith(lock: Lock) {
  return prepared<{ id: string }, AccessTokenRow>((db, value, dialect) =>
    db
      .selectFrom('access_tokens')
      .selectAll()
      .where('id', '=', value('id'))
      .modifyEnd(dialect.locks.clause(lock, 'access_tokens')),
  )
}

const findBy = { none: findWith('none'), share: findWith('share'), update: findWith('update') }

const listOf = prepared<{ userId: string }, AccessTokenRow>((db, value) =>
  db
    .selectFrom('access_tokens')
    .selectAll()
    .where('user_id', '=', value('userId'))
    .orderBy('created_time')
    .orderBy('id'),
)

const insert = prepared<AccessTokenRow, unknown>((db, value) =>
  db.insertInto('access_tokens').values({
    id: value('id'),
    user_id: value('user_id'),
    name: value('name'),
    description: value('description'),
    scopes: value('scopes'),
    space_ids: value('space_ids'),
    base_ids: value('base_ids'),
    has_full_access: value('has_full_access'),
    token_hash: value('token_hash'),
    expires_time: value('expires_time'),
    created_time: value('created_time'),
    last_used_time: value('last_used_time'),
    version: value('version'),
  }),
)

const update = prepared<AccessTokenRow, unknown>((db, value) =>
  db
    .updateTable('access_tokens')
    .set({
      name: value('name'),
      description: value('description'),
      scopes: value('scopes'),
      space_ids: value('space_ids'),
      base_ids: value('base_ids'),
      has_full_access: value('has_full_access'),
      token_hash: value('token_hash'),
      expires_time: value('expires_time'),
      version: value('version'),
    })
    .where('id', '=', value('id')),
)

const remove = prepared<{ id: string }, unknown>((db, value) =>
  db.deleteFrom('access_tokens').where('id', '=', value('id')),
)

const noteUse = prepared<{ id: string; now: string; before: string }, unknown>((db, value) =>
  db
    .updateTable('access_tokens')
    .set({ last_used_time: value('now') })
    .where('id', '=', value('id'))
    .where((eb) =>
      eb.or([eb('last_used_time', 'is', null), eb('last_used_time', '<=', value('before'))]),
    ),
)

function toAccessToken(row: AccessTokenRow): AccessToken {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    description: row.description ?? undefined,
    scopes: JSON.parse(row.scopes),
    spaceIds: row.space_ids === null ? undefined : JSON.parse(row.space_ids),
    baseIds: row.base_ids === null ? undefined : JSON.parse(row.base_ids),
    hasFullAccess: Boolean(row.has_full_access),
    tokenHash: row.token_hash,
    expiresTime: row.expires_time,
    createdTime: row.created_time,
    lastUsedTime: row.last_used_time ?? undefined,
    version: row.version,
  }
}

function toRow(token: AccessToken): AccessTokenRow {
  return {
    id: token.id,
    user_id: token.userId,
    name: token.name,
    description: token.description ?? null,
    scopes: JSON.stringify(token.scopes),
    space_ids: token.spaceIds ? JSON.stringify(token.spaceIds) : null,
    base_ids: token.baseIds ? JSON.stringify(token.baseIds) : null,
    has_full_access: token.hasFullAccess,
    token_hash: token.tokenHash,
    expires_time: token.expiresTime,
    created_time: token.createdTime,
    last_used_time: token.lastUsedTime ?? null,
    version: token.version,
  }
}

export class SqlAccessTokenRepository implements AccessTokenRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<AccessToken | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && toAccessToken(row)
  }

  async listOf(userId: string): Promise<readonly AccessToken[]> {
    return (await this.#session.all(listOf, { userId })).map(toAccessToken)
  }

  async insert(token: AccessToken): Promise<void> {
    await this.#session.run(insert, toRow(token))
  }

  async update(token: AccessToken): Promise<void> {
    await this.#session.run(update, toRow(token))
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async noteUse(id: string, now: string, before: string): Promise<void> {
    await this.#session.run(noteUse, { id, now, before })
  }
}
