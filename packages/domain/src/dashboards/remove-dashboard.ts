import type { WriteTx } from '../store.ts'

/** Removes a dashboard with all that is installed on it, for good; all but its node. */
export async function removeDashboard(
  tx: Pick<WriteTx, 'dashboards' | 'pluginInstalls'>,
  dashboardId: string,
): Promise<void> {
  await tx.pluginInstalls.deleteAt(dashboardId)
  await tx.dashboards.delete(dashboardId)
}
