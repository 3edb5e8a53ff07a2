import type { ColumnMeta, View, ViewType } from '@gateleg/domain/views/view'
import type { ViewRepository } from '@gateleg/domain/views/view-repository'
import { prepared } from '../core/database.ts'
import { notDeleted } from '../core/deletion-mark.ts'
import type { ViewRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

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
    return (await this.#session.all(listOf, { tableId })).map(toView)
  }

  async find(tableId: string, id: string): Promise<View | undefined> {
    const row = await this.#session.first(find, { tableId, id })
    return row && toView(row)
  }

  async insert(views: readonly View[]): Promise<void> {
    await this.#session.runOnce(this.#session.db.insertInto('views').values(views.map(toRow)))
  }

  async setColumnMeta(id: string, columnMeta: Readonly<Record<string, ColumnMeta>>): Promise<void> {
    await this.#session.run(setColumnMeta, { id, columnMeta: JSON.stringify(columnMeta) })
  }
}

function toView(row: ViewRow): View {
  return {
    id: row.id,
    tableId: row.table_id,
    name: row.name,
    type: row.type as ViewType,
    description: row.description,
    order: row.position,
    columnMeta: JSON.parse(row.column_meta),
    createdBy: row.created_by,
    createdTime: row.created_time,
    version: row.version,
  }
}

function toRow(view: View): ViewRow {
  return {
    id: view.id,
    table_id: view.tableId,
    name: view.name,
    type: view.type,
    description: view.description,
    position: view.order,
    options: '{}',
    column_meta: JSON.stringify(view.columnMeta),
    created_by: view.createdBy,
    created_time: view.createdTime,
    last_modified_by: null,
    last_modified_time: null,
    version: view.version,
    ...notDeleted,
  }
}
