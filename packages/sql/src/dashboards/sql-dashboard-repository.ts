import type { Lock } from '@gateleg/domain/access/lock'
import type { Dashboard } from '@gateleg/domain/dashboards/dashboard'
import type { DashboardRepository } from '@gateleg/domain/dashboards/dashboard-repository'
import type { Deleted, DeletedPage, Deletion } from '@gateleg/domain/trash/deletion'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { markDeletedIn, readDeletedIn, restoreIn } from '../core/own-tables/deletion-mark.ts'
import { insertRows } from '../core/own-tables/insert-rows.ts'
import type { SqlSession } from '../core/session.ts'
import { type DashboardRow, dashboardColumns } from '../metadata/tables/dashboard-table.ts'
import { keptByUsers } from '../pins/kept-by-users.ts'
import { updateBoardIn } from './update-board.ts'

function find(lock: Lock) {
  return prepared<{ id: string }, DashboardRow>((db, value, dialect) =>
    db
      .selectFrom('dashboards')
      .selectAll()
      .where('id', '=', value('id'))
      .where('deletion_id', 'is', null)
      .modifyEnd(dialect.locks.clause(lock, 'dashboards')),
  )
}

const findQueries = { none: find('none'), share: find('share'), update: find('update') }

const listOf = prepared<{ baseId: string }, DashboardRow>((db, value) =>
  db
    .selectFrom('dashboards')
    .selectAll()
    .where('base_id', '=', value('baseId'))
    .where('deletion_id', 'is', null)
    .orderBy('created_time')
    .orderBy('id'),
)

const listNamesOf = prepared<{ baseId: string }, Pick<DashboardRow, 'id' | 'name'>>((db, value) =>
  db
    .selectFrom('dashboards')
    .select(['id', 'name'])
    .where('base_id', '=', value('baseId'))
    .where('deletion_id', 'is', null)
    .orderBy('created_time')
    .orderBy('id'),
)

const readDeleted = readDeletedIn('dashboards', 'base_id', dashboardColumns.toEntity)

const update = updateBoardIn('dashboards')
const markDeleted = markDeletedIn('dashboards')
const restore = restoreIn('dashboards')
const removals = [deleteFrom('dashboards', 'id'), ...keptByUsers]

export class SqlDashboardRepository implements DashboardRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<Dashboard | undefined> {
    const row = await this.#session.first(findQueries[lock], { id })
    return row && dashboardColumns.toEntity(row)
  }

  async listOf(baseId: string): Promise<readonly Dashboard[]> {
    const rows = await this.#session.all(listOf, { baseId })
    return rows.map((row) => dashboardColumns.toEntity(row))
  }

  async listNamesOf(baseId: string): Promise<readonly Pick<Dashboard, 'id' | 'name'>[]> {
    return this.#session.all(listNamesOf, { baseId })
  }

  deletedIn(baseId: string, page: DeletedPage): Promise<readonly Deleted<Dashboard>[]> {
    return readDeleted(this.#session, baseId, page)
  }

  async insert(dashboards: readonly Dashboard[]): Promise<void> {
    await insertRows(this.#session, 'dashboards', dashboardColumns, dashboards)
  }

  async update(dashboard: Dashboard): Promise<void> {
    await this.#session.run(update, dashboardColumns.toRow(dashboard))
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }

  async restore(id: string): Promise<void> {
    await this.#session.run(restore, { ids: [id] })
  }

  async delete(id: string): Promise<void> {
    for (const removal of removals) await this.#session.run(removal, { id })
  }
}
