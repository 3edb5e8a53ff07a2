import type { BoardKind } from '../boards/board-kind.ts'
import type { Dashboard } from './dashboard.ts'

/** Dashboards, as boards. Plugins go in six columns of two units, row by row, below all that is there. */
export const dashboardKind: BoardKind<Dashboard> = {
  position: 'dashboard',
  repositoryOf: (tx) => tx.dashboards,
  tableIdOf: () => undefined,
  placeFor: (count) => ({ x: (count * 2) % 12, y: Number.MAX_SAFE_INTEGER, w: 2, h: 2 }),
  emitUpdated: ({ tx, now, userId }, { id: dashboardId, baseId }) =>
    tx.emit({ name: 'dashboard.updated', time: now, userId, payload: { baseId, dashboardId } }),
}
