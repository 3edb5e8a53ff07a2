import { type PreparedQuery, prepared } from '../core/database.ts'

/** What a change of a dashboard or a panel replaces; the version grows by one. */
export function updateBoardIn(
  table: 'dashboards' | 'plugin_panels',
): PreparedQuery<
  { readonly id: string; readonly name: string; readonly layout: string | null },
  unknown
> {
  return prepared((db, value) =>
    db
      .updateTable(table)
      .set((eb) => ({
        name: value('name'),
        layout: value('layout'),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', value('id')),
  )
}
