import type { Pin } from '@gateleg/domain/pins/pin'
import type { PinRepository } from '@gateleg/domain/pins/pin-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { insertRows } from '../core/own-tables/insert-rows.ts'
import type { SqlSession } from '../core/session.ts'
import { type PinRow, pinColumns } from '../metadata/tables/pin-tables.ts'

const listOf = prepared<{ userId: string }, PinRow>((db, value) =>
  db.selectFrom('pins').selectAll().where('user_id', '=', value('userId')).orderBy('position'),
)

const removeOf = deleteFrom('pins', 'user_id')

export class SqlPinRepository implements PinRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOf(userId: string): Promise<readonly Pin[]> {
    return (await this.#session.all(listOf, { userId })).map(pinColumns.toEntity)
  }

  async replaceAll(userId: string, pins: readonly Pin[]): Promise<void> {
    await this.#session.run(removeOf, { id: userId })
    await insertRows(this.#session, 'pins', pinColumns, pins)
  }
}
