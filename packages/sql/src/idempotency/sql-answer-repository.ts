import type { AnswerRepository, KeptAnswer } from '@gateleg/domain/idempotency/answer-repository'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom } from '../core/delete-rows.ts'
import { valuesOf } from '../core/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type AnswerRow, answerColumns } from './answer-table.ts'

const find = prepared<{ keyHash: string }, AnswerRow>((db, value) =>
  db.selectFrom('answers').selectAll().where('key_hash', '=', value('keyHash')),
)

const save = prepared<AnswerRow, unknown>((db, value) =>
  db
    .insertInto('answers')
    .values(valuesOf<AnswerRow, keyof AnswerRow>(answerColumns.names, value))
    .onConflict((conflict) =>
      conflict
        .column('key_hash')
        .doUpdateSet((eb) =>
          valuesOf(answerColumns.except('key_hash'), (name) => eb.ref(`excluded.${name}`) as never),
        ),
    ),
)

const deleteExpired = deleteExpiredFrom('answers')

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

  async deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(deleteExpired, { before, most })
  }
}
