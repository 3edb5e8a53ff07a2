import type { Lock } from '@gateleg/domain/access/lock'
import type { Comment } from '@gateleg/domain/comments/comment'
import type {
  CommentedRecords,
  CommentPart,
  CommentPlace,
  CommentRepository,
  CommentTally,
} from '@gateleg/domain/comments/comment-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertInto, valuesOf } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type CommentRow, commentColumns } from '../metadata/tables/comment-table.ts'

const findBy = findById('comments')

function listWith(comparison: '>=' | '<=', direction: 'asc' | 'desc') {
  return prepared<CommentPlace & { from: number; most: number }, CommentRow>((db, value) =>
    db
      .selectFrom('comments')
      .selectAll()
      .where('table_id', '=', value('tableId'))
      .where('record_id', '=', value('recordId'))
      .where('number', comparison, value('from'))
      .orderBy('number', direction)
      .limit(value('most')),
  )
}

const listQueries = { forward: listWith('>=', 'asc'), backward: listWith('<=', 'desc') }
const beginnings = { forward: 0, backward: 2 ** 31 - 1 }

const tallyOf = prepared<CommentPlace, { count: number | string; last: number | null }>(
  (db, value) =>
    db
      .selectFrom('comments')
      .select(({ fn }) => [
        fn.countAll<number | string>().as('count'),
        fn.max<number | null>('number').as('last'),
      ])
      .where('table_id', '=', value('tableId'))
      .where('record_id', '=', value('recordId')),
)

type InRecords = { tableId: string; recordIds: readonly string[] }

const countsOf = prepared<InRecords, { record_id: string; count: number | string }>(
  (db, value, dialect) =>
    db
      .selectFrom('comments')
      .select(({ fn }) => ['record_id', fn.countAll<number | string>().as('count')])
      .where('table_id', '=', value('tableId'))
      .where(dialect.lists.isIn('record_id', value('recordIds')))
      .groupBy('record_id'),
)

const insert = insertInto('comments', commentColumns)

const update = prepared<CommentRow, unknown>((db, value) =>
  db
    .updateTable('comments')
    .set(valuesOf(['content', 'reactions', 'last_modified_time', 'version'], value))
    .where('id', '=', value('id')),
)

const remove = deleteFrom('comments', 'id')

const removeSomeOfTable = prepared<{ tableId: string; most: number }, unknown>((db, value) =>
  db
    .deleteFrom('comments')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('comments')
        .select('id')
        .where('table_id', '=', value('tableId'))
        .limit(value('most')),
    ),
)

const removeSomeOfRecords = prepared<InRecords & { most: number }, unknown>((db, value, dialect) =>
  db.deleteFrom('comments').where('id', 'in', (eb) =>
    eb
      .selectFrom('comments')
      .select('id')
      .where('table_id', '=', value('tableId'))
      .where(dialect.lists.isIn('record_id', value('recordIds')))
      .limit(value('most')),
  ),
)

export class SqlCommentRepository implements CommentRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<Comment | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && commentColumns.toEntity(row)
  }

  async list(place: CommentPlace, { from, direction, most }: CommentPart) {
    const { tableId, recordId } = place
    const begin = from ?? beginnings[direction]
    const asked = { tableId, recordId, from: Math.min(begin, beginnings.backward), most }
    return (await this.#session.all(listQueries[direction], asked)).map(commentColumns.toEntity)
  }

  async tallyOf({ tableId, recordId }: CommentPlace): Promise<CommentTally> {
    const { count, last } = await this.#session.one(tallyOf, { tableId, recordId })
    return { count: Number(count), lastNumber: last ?? 0 }
  }

  async countsOf(
    tableId: string,
    recordIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (recordIds.length === 0) return new Map()
    const rows = await this.#session.all(countsOf, { tableId, recordIds })
    return new Map(rows.map(({ record_id: id, count }) => [id, Number(count)]))
  }

  async insert(comment: Comment): Promise<void> {
    await this.#session.run(insert, commentColumns.toRow(comment))
  }

  async update(comment: Comment): Promise<void> {
    await this.#session.run(update, commentColumns.toRow(comment))
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async removeSome({ tableId, recordIds }: CommentedRecords, most: number): Promise<boolean> {
    const removed =
      recordIds === undefined
        ? await this.#session.run(removeSomeOfTable, { tableId, most })
        : await this.#session.run(removeSomeOfRecords, { tableId, recordIds, most })
    return removed === most
  }
}
