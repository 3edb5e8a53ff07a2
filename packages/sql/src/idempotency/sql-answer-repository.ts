import type { AnswerRepository, KeptAnswer } from '@gateleg/domain/idempotency/answer-repository'
import { prepared } from '../core/database.ts'
import type { AnswerRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

const find = prepared<{ keyHash: string }, AnswerRow>((db, value) =>
  db.selectFrom('answers').selectAll().where('key_hash', '=', value('keyHash')),
)

const save = prepared<AnswerRow, unknown>((db, value) =>
  db
    .insertInto('answers')
    .values({
      key_hash: value('key_hash'),
      input_hash: value('input_hash'),
      sealed_answer: value('sealed_answer'),
      expires_time: value('expires_time'),
    })
    .onConflict((conflict) =>
      conflict.column('key_hash').doUpdateSet((eb) => ({
        input_hash: eb.ref('excluded.input_hash'),
        sealed_answer: eb.ref('excluded.sealed_answer'),
        expires_time: eb.ref('excluded.expires_time'),
      })),
    ),
)

const deleteExpired = prepared<{ before: string; most: number }, unknown>((db, value) =>
  db
    .deleteFrom('answers')
    .where('key_hash', 'in', (eb) =>
      eb
        .selectFrom('answers')
        .select('key_hash')
        .where('expires_time', '<', value('before'))
        .orderBy('expires_time')
        .limit(value('most')),
    ),
)

export class SqlAnswerRepository implements AnswerRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(keyHash: string): Promise<KeptAnswer | undefined> {
    await this.#session.dialect.locks.claim(this.#session.connection, keyHash)
    const row = await this.#session.first(find, { keyHash })
    return (
      row && {
        keyHash,
        inputHash: row.input_hash,
        sealedAnswer: row.sealed_answer,
        expiresTime: row.expires_time,
      }
    )
  }

  async save(answer: KeptAnswer): Promise<void> {
    await this.#session.run(save, {
      key_hash: answer.keyHash,
      input_hash: answer.inputHash,
      sealed_answer: answer.sealedAnswer,
      expires_time: answer.expiresTime,
    })
  }

  async deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(deleteExpired, { before, most })
  }
}
