import type { Dashboard } from '@gateleg/domain/dashboards/dashboard'
import type { DashboardRepository } from '@gateleg/domain/dashboards/dashboard-repository'
import type { Deletion } from '@gateleg/domain/trash/deletion'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/delete-rows.ts'
import { markDeletedIn, restoreIn } from '../core/deletion-mark.ts'
import { insertInto } from '../core/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type DashboardRow, dashboardColumns } from './dashboard-table.ts'

const find = prepared<{ id: string }, DashboardRow>((db, value) =>
  db
    .selectFrom('dashboards')
    .selectAll()
    .where('id', '=', value('id'))
    .where('deletion_id', 'is', null),
)

const listOf = prepared<{ baseId: string }, DashboardRow>((db, value) =>
  db
    .selectFrom('dashboards')
    .selectAll()
    .where('base_id', '=', value('baseId'))
    .where('deletion_id', 'is', null)
    .orderBy('created_time')
    .orderBy('id'),
)

const insert = insertInto('dashboards', dashboardColumns)

const rename = prepared<{ id: string; name: string }, unknown>((db, value) =>
  db
    .updateTable('dashboards')
    .set((eb) => ({ name: value('name'), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const markDeleted = markDeletedIn('dashboards')
const restore = restoreIn('dashboards')
const remove = deleteFrom('dashboards', 'id')

export class SqlDashboardRepository implements DashboardRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string): Promise<Dashboard | undefined> {
    const row = await this.#session.first(find, { id })
    return row && dashboardColumns.toEntity(row)
  }

  async listOf(baseId: string): Promise<readonly Dashboard[]> {
    const rows = await this.#session.all(listOf, { baseId })
    return rows.map((row) => dashboardColumns.toEntity(row))
  }

  async insert(dashboard: Dashboard): Promise<void> {
    await this.#session.run(insert, dashboardColumns.toRow(dashboard))
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#session.run(rename, { id, name })
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }

  async restore(id: string): Promise<void> {
    await this.#session.run(restore, { ids: [id] })
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }
}
