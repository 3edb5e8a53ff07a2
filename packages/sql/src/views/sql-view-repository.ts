import type { ColumnMeta, View } from '@gateleg/domain/views/view'
import type { ViewRepository } from '@gateleg/domain/views/view-repository'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import { type ViewRow, viewColumns } from './view-table.ts'

const listOf = prepared<{ tableId: string }, ViewRow>((db, value) =>
  db
    .selectFrom('views')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .where('deletion_id', 'is', null)
    .orderBy('position')
    .orderBy('id'),
)

const find = prepared<{ tableId: string; id: string }, ViewRow>((db, value) =>
  db
    .selectFrom('views')
    .selectAll()
    .where('id', '=', value('id'))
    .where('table_id', '=', value('tableId'))
    .where('deletion_id', 'is', null),
)

const setColumnMeta = prepared<{ id: string; columnMeta: string }, unknown>((db, value) =>
  db
    .updateTable('views')
    .set((eb) => ({ column_meta: value('columnMeta'), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

export class SqlViewRepository implements ViewRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOf(tableId: string): Promise<readonly View[]> {
    return (await this.#session.all(listOf, { tableId })).map(viewColumns.toEntity)
  }

  async find(tableId: string, id: string): Promise<View | undefined> {
    const row = await this.#session.first(find, { tableId, id })
    return row && viewColumns.toEntity(row)
  }

  async insert(views: readonly View[]): Promise<void> {
    await this.#session.runOnce(
      this.#session.db.insertInto('views').values(views.map((view) => viewColumns.toRow(view))),
    )
  }

  async setColumnMeta(id: string, columnMeta: Readonly<Record<string, ColumnMeta>>): Promise<void> {
    await this.#session.run(setColumnMeta, { id, columnMeta: JSON.stringify(columnMeta) })
  }
}
