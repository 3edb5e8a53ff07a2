import type { BoardReader, BoardRepository } from '../boards/board-repository.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { Dashboard } from './dashboard.ts'

/** Deleted dashboards are never answered. */
export interface DashboardReader extends BoardReader<Dashboard> {
  /** All dashboards of the base, in the order in which they were made, ties by id. */
  listOf(baseId: string): Promise<readonly Dashboard[]>
  /** The same without their layouts. */
  listNamesOf(baseId: string): Promise<readonly Pick<Dashboard, 'id' | 'name'>[]>
}

/** Keeps the dashboards of bases. */
export interface DashboardRepository extends DashboardReader, BoardRepository<Dashboard> {
  markDeleted(dashboardId: string, deletion: Deletion): Promise<void>
  /** Takes the mark of its deletion away. */
  restore(dashboardId: string): Promise<void>
}
