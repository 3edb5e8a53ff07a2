import type { Lock } from '@gateleg/domain/access/lock'
import type { PluginPanel } from '@gateleg/domain/plugin-panels/plugin-panel'
import type { PluginPanelRepository } from '@gateleg/domain/plugin-panels/plugin-panel-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertRows } from '../core/own-tables/insert-rows.ts'
import type { SqlSession } from '../core/session.ts'
import { updateBoardIn } from '../dashboards/update-board.ts'
import { type PluginPanelRow, pluginPanelColumns } from '../metadata/tables/plugin-panel-table.ts'

const findBy = findById('plugin_panels')

const listOf = prepared<{ tableId: string }, PluginPanelRow>((db, value) =>
  db
    .selectFrom('plugin_panels')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .orderBy('created_time')
    .orderBy('id'),
)

const update = updateBoardIn('plugin_panels')
const remove = deleteFrom('plugin_panels', 'id')

export class SqlPluginPanelRepository implements PluginPanelRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<PluginPanel | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && pluginPanelColumns.toEntity(row)
  }

  async listOf(tableId: string): Promise<readonly PluginPanel[]> {
    return (await this.#session.all(listOf, { tableId })).map(pluginPanelColumns.toEntity)
  }

  async insert(panels: readonly PluginPanel[]): Promise<void> {
    await insertRows(this.#session, 'plugin_panels', pluginPanelColumns, panels)
  }

  async update(panel: PluginPanel): Promise<void> {
    await this.#session.run(update, pluginPanelColumns.toRow(panel))
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }
}
