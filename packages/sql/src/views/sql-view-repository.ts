import type { Lock } from '@gateleg/domain/access/lock'
import type { RowOrder } from '@gateleg/domain/queries/row-order'
import type { Deleted, DeletedPage, Deletion } from '@gateleg/domain/trash/deletion'
import type { View } from '@gateleg/domain/views/view'
import type { ViewRepository } from '@gateleg/domain/views/view-repository'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { markDeletedIn, noDeletion, readDeletedIn } from '../core/own-tables/deletion-mark.ts'
import { valuesOf } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import type { DeletionColumns } from '../metadata/table-columns.ts'
import { type ViewRow, viewColumns } from '../metadata/tables/view-table.ts'
import { keptByUsers } from '../pins/kept-by-users.ts'

const listOf = prepared<{ tableId: string }, ViewRow>((db, value) =>
  db
    .selectFrom('views')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .where('deletion_id', 'is', null)
    .orderBy('position')
    .orderBy('id'),
)

function find(lock: Lock) {
  return prepared<{ tableId: string; id: string }, ViewRow>((db, value, dialect) =>
    db
      .selectFrom('views')
      .selectAll()
      .where('id', '=', value('id'))
      .where('table_id', '=', value('tableId'))
      .where('deletion_id', 'is', null)
      .modifyEnd(dialect.locks.clause(lock, 'views')),
  )
}

const findDeleted = prepared<{ tableId: string; id: string }, ViewRow>((db, value) =>
  db
    .selectFrom('views')
    .selectAll()
    .where('id', '=', value('id'))
    .where('table_id', '=', value('tableId'))
    .where('deletion_id', 'is not', null),
)

const readDeleted = readDeletedIn('views', 'table_id', viewColumns.toEntity)

const restore = prepared<{ id: string; name: string }, unknown>((db, value) =>
  db
    .updateTable('views')
    .set({ ...noDeletion, name: value('name') })
    .where('id', '=', value('id')),
)

const removals = [deleteFrom('view_shares', 'view_id'), deleteFrom('views', 'id'), ...keptByUsers]

const findQueries = { none: find('none'), share: find('share'), update: find('update') }

/** What people set of views, which grows with what they set; none of it is null but what was never set. */
const settingColumns = ['options', 'filter', 'sort', 'grouping', 'column_meta'] as const

const settingsLength = prepared<{ tableId: string }, { length: number | string | null }>(
  (db, value) =>
    db
      .selectFrom('views')
      .select(({ fn, ref }) =>
        fn
          .sum<number | string | null>(
            sql.join(
              settingColumns.map((column) => sql`coalesce(length(${ref(column)}), 0)`),
              sql` + `,
            ),
          )
          .as('length'),
      )
      .where('table_id', '=', value('tableId'))
      .where('deletion_id', 'is', null),
)

/** What changes of a view replace, beside the version. */
const changedColumns = viewColumns.except(
  ...(['id', 'table_id', 'type', 'created_by', 'created_time', 'version'] as const),
)

const update = prepared<Omit<ViewRow, keyof DeletionColumns>, unknown>((db, value) =>
  db
    .updateTable('views')
    .set((eb) => ({ ...valuesOf(changedColumns, value), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const rowOrders = prepared<{ tableId: string }, Pick<ViewRow, 'row_order'>>((db, value) =>
  db
    .selectFrom('views')
    .select('row_order')
    .where('table_id', '=', value('tableId'))
    .where('row_order', 'is not', null),
)

const markDeleted = markDeletedIn('views')

export class SqlViewRepository implements ViewRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOf(tableId: string): Promise<readonly View[]> {
    return (await this.#session.all(listOf, { tableId })).map(viewColumns.toEntity)
  }

  async find(tableId: string, id: string, lock: Lock = 'none'): Promise<View | undefined> {
    const row = await this.#session.first(findQueries[lock], { tableId, id })
    return row && viewColumns.toEntity(row)
  }

  async findDeleted(tableId: string, id: string): Promise<View | undefined> {
    const row = await this.#session.first(findDeleted, { tableId, id })
    return row && viewColumns.toEntity(row)
  }

  deletedIn(tableId: string, page: DeletedPage): Promise<readonly Deleted<View>[]> {
    return readDeleted(this.#session, tableId, page)
  }

  async rowOrderIdsOf(tableId: string): Promise<readonly string[]> {
    const rows = await this.#session.all(rowOrders, { tableId })
    return rows.map(({ row_order: order }) => (JSON.parse(order ?? '{}') as RowOrder).id)
  }

  async settingsLength(tableId: string): Promise<number> {
    return Number((await this.#session.first(settingsLength, { tableId }))?.length ?? 0)
  }

  async insert(views: readonly View[]): Promise<void> {
    if (views.length === 0) return
    await this.#session.runOnce(
      this.#session.db.insertInto('views').values(views.map((view) => viewColumns.toRow(view))),
    )
  }

  async update(view: View): Promise<void> {
    await this.#session.run(update, viewColumns.toRow(view))
  }

  async restore(id: string, name: string): Promise<void> {
    await this.#session.run(restore, { id, name })
  }

  async delete(id: string): Promise<void> {
    for (const removal of removals) await this.#session.run(removal, { id })
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }
}
