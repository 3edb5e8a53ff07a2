import type { Session } from '@gateleg/domain/accounts/session'
import type { SessionRepository } from '@gateleg/domain/accounts/session-repository'
import { prepared } from '../core/database.ts'
import type { SessionRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

const findByTokenHash = prepared<{ tokenHash: string }, SessionRow>((db, value) =>
  db.selectFrom('sessions').selectAll().where('token_hash', '=', value('tokenHash')),
)

const insert = prepared<SessionRow, unknown>((db, value) =>
  db.insertInto('sessions').values({
    id: value('id'),
    user_id: value('user_id'),
    token_hash: value('token_hash'),
    address: value('address'),
    user_agent: value('user_agent'),
    created_time: value('created_time'),
    expires_time: value('expires_time'),
  }),
)

const listOf = prepared<{ userId: string; now: string }, SessionRow>((db, value) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', value('userId'))
    .where('expires_time', '>', value('now'))
    .orderBy('created_time', 'desc')
    .orderBy('id'),
)

const remove = prepared<{ id: string; userId: string }, unknown>((db, value) =>
  db.deleteFrom('sessions').where('id', '=', value('id')).where('user_id', '=', value('userId')),
)

/** No id is empty: an empty one keeps no session. */
const removeOthers = prepared<{ userId: string; keptId: string }, unknown>((db, value) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', value('userId'))
    .where('id', '!=', value('keptId')),
)

const removeOldest = prepared<{ userId: string; kept: number }, unknown>((db, value) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', value('userId'))
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', value('userId'))
        .orderBy('created_time', 'desc')
        .orderBy('id')
        .limit(value('kept')),
    ),
)

const removeExpired = prepared<{ before: string; most: number }, unknown>((db, value) =>
  db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('expires_time', '<', value('before'))
        .orderBy('expires_time')
        .limit(value('most')),
    ),
)

function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    userId: row.user_id,
    tokenHash: row.token_hash,
    address: row.address ?? undefined,
    userAgent: row.user_agent ?? undefined,
    createdTime: row.created_time,
    expiresTime: row.expires_time,
  }
}

export class SqlSessionRepository implements SessionRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async findByTokenHash(tokenHash: string): Promise<Session | undefined> {
    const row = await this.#session.first(findByTokenHash, { tokenHash })
    return row && toSession(row)
  }

  async insert(session: Session): Promise<void> {
    await this.#session.run(insert, {
      id: session.id,
      user_id: session.userId,
      token_hash: session.tokenHash,
      address: session.address ?? null,
      user_agent: session.userAgent ?? null,
      created_time: session.createdTime,
      expires_time: session.expiresTime,
    })
  }

  async listOf(userId: string, now: string): Promise<readonly Session[]> {
    return (await this.#session.all(listOf, { userId, now })).map(toSession)
  }

  async delete(id: string, userId: string): Promise<boolean> {
    return (await this.#session.run(remove, { id, userId })) > 0
  }

  async deleteOthers(userId: string, keptId = ''): Promise<void> {
    await this.#session.run(removeOthers, { userId, keptId })
  }

  async deleteOldest(userId: string, kept: number): Promise<void> {
    await this.#session.run(removeOldest, { userId, kept })
  }

  async deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(removeExpired, { before, most })
  }
}
