import type { BoardReader, BoardRepository } from '../boards/board-repository.ts'
import type { Deleted, DeletedPage, Deletion } from '../trash/deletion.ts'
import type { Dashboard } from './dashboard.ts'

/** Deleted dashboards are answered where it is said. */
export interface DashboardReader extends BoardReader<Dashboard> {
  /** All dashboards of the base, in the order in which they were made, ties by id. */
  listOf(baseId: string): Promise<readonly Dashboard[]>
  /** All dashboards of the base without their layouts, in the order in which they were made, ties by id. */
  listNamesOf(baseId: string): Promise<readonly Pick<Dashboard, 'id' | 'name'>[]>
  /** The dashboards of the base that lie in its trash, by id: a page. */
  deletedIn(baseId: string, page: DeletedPage): Promise<readonly Deleted<Dashboard>[]>
}

/** Keeps the dashboards of bases. */
export interface DashboardRepository extends DashboardReader, BoardRepository<Dashboard> {
  markDeleted(dashboardId: string, deletion: Deletion): Promise<void>
  /** Takes the mark of its deletion away. */
  restore(dashboardId: string): Promise<void>
}
