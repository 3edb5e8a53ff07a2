import type { Session } from '@gateleg/domain/accounts/sessions/session'
import type { SessionRepository } from '@gateleg/domain/accounts/sessions/session-repository'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom, deleteOldestOf } from '../core/own-tables/delete-rows.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type SessionRow, sessionColumns } from '../metadata/tables/session-table.ts'

const find = prepared<{ id: string }, SessionRow>((db, value) =>
  db.selectFrom('sessions').selectAll().where('id', '=', value('id')),
)

const findByTokenHash = prepared<{ tokenHash: string }, SessionRow>((db, value) =>
  db.selectFrom('sessions').selectAll().where('token_hash', '=', value('tokenHash')),
)

const insert = insertInto('sessions', sessionColumns)

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

const removeOldest = deleteOldestOf('sessions')

const removeExpired = deleteExpiredFrom('sessions')

export class SqlSessionRepository implements SessionRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string): Promise<Session | undefined> {
    const row = await this.#session.first(find, { id })
    return row && sessionColumns.toEntity(row)
  }

  async findByTokenHash(tokenHash: string): Promise<Session | undefined> {
    const row = await this.#session.firstOften(findByTokenHash, { tokenHash })
    return row && sessionColumns.toEntity(row)
  }

  async insert(session: Session): Promise<void> {
    await this.#session.run(insert, sessionColumns.toRow(session))
  }

  async listOf(userId: string, now: string): Promise<readonly Session[]> {
    return (await this.#session.all(listOf, { userId, now })).map((row) =>
      sessionColumns.toEntity(row),
    )
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
