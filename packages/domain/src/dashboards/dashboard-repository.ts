import type { Deletion } from '../trash/deletion.ts'
import type { Dashboard } from './dashboard.ts'

/** Deleted dashboards are never answered. */
export interface DashboardReader {
  find(dashboardId: string): Promise<Dashboard | undefined>
  /** All dashboards of the base, in the order in which they were made, ties by id. */
  listOf(baseId: string): Promise<readonly Dashboard[]>
}

/** Keeps the dashboards of bases. */
export interface DashboardRepository extends DashboardReader {
  insert(dashboard: Dashboard): Promise<void>
  /** Replaces the name; the version grows by one. */
  rename(dashboardId: string, name: string): Promise<void>
  markDeleted(dashboardId: string, deletion: Deletion): Promise<void>
  /** Takes the mark of its deletion away. */
  restore(dashboardId: string): Promise<void>
  /** Removes the dashboard for good. */
  delete(dashboardId: string): Promise<void>
}
