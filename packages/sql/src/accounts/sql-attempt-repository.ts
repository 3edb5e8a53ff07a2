import type {
  AttemptRepository,
  CountedTries,
  TryCount,
  TryLimit,
} from '@gateleg/domain/accounts/attempts/attempt-repository'
import type { ExpressionBuilder, OnConflictDatabase, OnConflictTables } from 'kysely'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom, deleteFrom } from '../core/own-tables/delete-rows.ts'
import type { SqlSession } from '../core/session.ts'
import type { Database } from '../metadata/database-schema.ts'

/** Whether the count of the row has ended. */
function hasEnded(
  eb: ExpressionBuilder<Database, 'attempts'>,
  value: (name: 'now' | 'farthest') => string,
) {
  return eb.or([
    eb('attempts.expires_time', '<=', value('now')),
    eb('attempts.expires_time', '>', value('farthest')),
  ])
}

/** The count with the tries that are new; a count that has ended begins anew. */
function withNew(
  eb: ExpressionBuilder<OnConflictDatabase<Database, 'attempts'>, OnConflictTables<'attempts'>>,
  value: (name: 'now' | 'farthest') => string,
) {
  return eb
    .case()
    .when(hasEnded(eb, value))
    .then(eb.ref('excluded.tries'))
    .else(eb('attempts.tries', '+', eb.ref('excluded.tries')))
    .end()
}

type Reservation = TryLimit & { subject: string; first: number; last: number }

/**
 * One statement, so that tries at the same time wait for each other's row. Changes no row when the try is
 * refused. A count that has ended begins anew; the last try that is granted locks for the full time.
 */
const reserve = prepared<Reservation, unknown>((db, value) =>
  db
    .insertInto('attempts')
    .values({ subject: value('subject'), tries: value('first'), expires_time: value('until') })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet((eb) => ({
          tries: withNew(eb, value),
          expires_time: eb
            .case()
            .when(eb.or([hasEnded(eb, value), eb('attempts.tries', '=', value('last'))]))
            .then(eb.ref('excluded.expires_time'))
            .else(eb.ref('attempts.expires_time'))
            .end(),
        }))
        .where((eb) => eb.or([hasEnded(eb, value), eb('attempts.tries', '<', value('most'))])),
    ),
)

type Window = Required<CountedTries> & { subject: string }

/** One statement for the same reason. A count that has ended begins anew. */
const count = prepared<Window, { tries: number; expires_time: string }>((db, value) =>
  db
    .insertInto('attempts')
    .values({ subject: value('subject'), tries: value('tries'), expires_time: value('until') })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet((eb) => ({
        tries: withNew(eb, value),
        expires_time: eb
          .case()
          .when(hasEnded(eb, value))
          .then(eb.ref('excluded.expires_time'))
          .else(eb.ref('attempts.expires_time'))
          .end(),
      })),
    )
    .returning(['tries', 'expires_time']),
)

const find = prepared<{ subject: string }, { expires_time: string }>((db, value) =>
  db.selectFrom('attempts').select('expires_time').where('subject', '=', value('subject')),
)

const release = prepared<{ subject: string }, unknown>((db, value) =>
  db
    .updateTable('attempts')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('subject', '=', value('subject'))
    .where('tries', '>', 0),
)

const clear = deleteFrom('attempts', 'subject')

const deleteExpired = deleteExpiredFrom('attempts')

export class SqlAttemptRepository implements AttemptRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async reserve(subject: string, limit: TryLimit): Promise<string | undefined> {
    const values = { ...limit, subject, first: 1, last: limit.most - 1 }
    if ((await this.#session.run(reserve, values)) > 0) return undefined
    return (await this.#session.one(find, { subject })).expires_time
  }

  async count(subject: string, { tries = 1, ...window }: CountedTries): Promise<TryCount> {
    const row = await this.#session.one(count, { ...window, subject, tries })
    return { tries: Number(row.tries), until: row.expires_time }
  }

  async release(subject: string): Promise<void> {
    await this.#session.run(release, { subject })
  }

  async clear(subject: string): Promise<void> {
    await this.#session.run(clear, { id: subject })
  }

  async deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(deleteExpired, { before, most })
  }
}
