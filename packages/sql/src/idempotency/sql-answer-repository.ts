import type {
  AnswerRepository,
  AnswersAtOnce,
  KeptAnswer,
} from '@gateleg/domain/idempotency/answer-repository'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import { saveInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type AnswerRow, answerColumns } from '../metadata/tables/answer-table.ts'

const find = prepared<{ keyHash: string }, AnswerRow>((db, value) =>
  db.selectFrom('answers').selectAll().where('key_hash', '=', value('keyHash')),
)

const save = saveInto('answers', answerColumns, 'key_hash')

/** Those that expired first, as far as the sum of their bytes goes. */
const deleteExpired = prepared<{ before: string } & AnswersAtOnce, unknown>((db, value, dialect) =>
  db
    .with('expired', (eb) =>
      eb
        .selectFrom('answers')
        .select(['key_hash', 'expires_time'])
        .select(dialect.values.storedBytes('sealed_answer').as('size'))
        .where('expires_time', '<', value('before'))
        .orderBy('expires_time')
        .orderBy('key_hash')
        .limit(value('count')),
    )
    .with('totals', (eb) =>
      eb
        .selectFrom('expired')
        .select('key_hash')
        .select(sql<number>`sum(size) over w`.as('total'))
        .select(sql<number>`row_number() over w`.as('place'))
        .modifyEnd(sql`window w as (order by expires_time, key_hash)`),
    )
    .deleteFrom('answers')
    .where('key_hash', 'in', (eb) =>
      eb
        .selectFrom('totals')
        .select('key_hash')
        .where((or) => or('total', '<=', value('bytes')).or('place', '=', 1)),
    ),
)

const findExpired = prepared<{ before: string }, { key_hash: string }>((db, value) =>
  db.selectFrom('answers').select('key_hash').where('expires_time', '<', value('before')).limit(1),
)

export class SqlAnswerRepository implements AnswerRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(keyHash: string): Promise<KeptAnswer | undefined> {
    await this.#session.dialect.locks.claim(this.#session.connection, keyHash)
    const row = await this.#session.first(find, { keyHash })
    return row && answerColumns.toEntity(row)
  }

  async save(answer: KeptAnswer): Promise<void> {
    await this.#session.run(save, answerColumns.toRow(answer))
  }

  async deleteExpired(before: string, { count, bytes }: AnswersAtOnce): Promise<boolean> {
    await this.#session.run(deleteExpired, { before, count, bytes })
    return (await this.#session.first(findExpired, { before })) !== undefined
  }
}
