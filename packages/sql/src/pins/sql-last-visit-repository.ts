import type { LastVisit } from '@gateleg/domain/last-visits/last-visit'
import type { LastVisitRepository } from '@gateleg/domain/last-visits/last-visit-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { valuesOf } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type LastVisitRow, lastVisitColumns } from '../metadata/tables/pin-tables.ts'

const listOf = prepared<{ userId: string; parentId: string }, LastVisitRow>((db, value) =>
  db
    .selectFrom('last_visits')
    .selectAll()
    .where('user_id', '=', value('userId'))
    .where('parent_id', '=', value('parentId'))
    .orderBy('visited_time', 'desc')
    .orderBy('resource_type'),
)

const note = prepared<LastVisitRow, unknown>((db, value) =>
  db
    .insertInto('last_visits')
    .values(valuesOf<LastVisitRow, keyof LastVisitRow>(lastVisitColumns.names, value))
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'parent_id', 'resource_type'])
        .doUpdateSet(valuesOf(['resource_id', 'child_id', 'base_id', 'visited_time'], value)),
    ),
)

/** Those that are as old as the last one that is kept stay, too. */
const removeOldest = prepared<{ userId: string; newer: number }, unknown>((db, value) =>
  db
    .deleteFrom('last_visits')
    .where('user_id', '=', value('userId'))
    .where('visited_time', '<', (eb) =>
      eb
        .selectFrom('last_visits')
        .select('visited_time')
        .where('user_id', '=', value('userId'))
        .orderBy('visited_time', 'desc')
        .offset(value('newer'))
        .limit(1),
    ),
)

const removeOf = deleteFrom('last_visits', 'user_id')

export class SqlLastVisitRepository implements LastVisitRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOf(userId: string, parentId: string): Promise<readonly LastVisit[]> {
    const rows = await this.#session.all(listOf, { userId, parentId })
    return rows.map(lastVisitColumns.toEntity)
  }

  async note(visit: LastVisit): Promise<void> {
    await this.#session.run(note, lastVisitColumns.toRow(visit))
  }

  async deleteOldest(userId: string, kept: number): Promise<void> {
    await this.#session.run(removeOldest, { userId, newer: kept - 1 })
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.#session.run(removeOf, { id: userId })
  }
}
