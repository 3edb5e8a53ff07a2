import type { ViewShare } from '@gateleg/domain/views/view-share'
import type { ViewShareRepository } from '@gateleg/domain/views/view-share-repository'
import { prepared } from '../core/database.ts'
import { saveInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type ViewShareRow, viewShareColumns } from '../metadata/tables/view-share-table.ts'

/** The rows in which the column has the value `id`. */
function findBy(column: 'view_id' | 'table_id' | 'share_id') {
  return prepared<{ id: string }, ViewShareRow>((db, value) =>
    db.selectFrom('view_shares').selectAll().where(column, '=', value('id')),
  )
}

const findByView = findBy('view_id')
const findByTable = findBy('table_id')
const findByShare = findBy('share_id')

const save = saveInto('view_shares', viewShareColumns, 'view_id')

export class SqlViewShareRepository implements ViewShareRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(viewId: string): Promise<ViewShare | undefined> {
    const row = await this.#session.first(findByView, { id: viewId })
    return row && viewShareColumns.toEntity(row)
  }

  async findByShareId(shareId: string): Promise<ViewShare | undefined> {
    const row = await this.#session.first(findByShare, { id: shareId })
    return row && viewShareColumns.toEntity(row)
  }

  async listOf(tableId: string): Promise<readonly ViewShare[]> {
    return (await this.#session.all(findByTable, { id: tableId })).map((row) =>
      viewShareColumns.toEntity(row),
    )
  }

  async save(share: ViewShare): Promise<void> {
    await this.#session.run(save, viewShareColumns.toRow(share))
  }
}
