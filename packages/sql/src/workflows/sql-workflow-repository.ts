import type { Lock, MaybeDeleted } from '@gateleg/domain/access/lock'
import type { Deleted, DeletedPage, Deletion } from '@gateleg/domain/trash/deletion'
import type { Workflow } from '@gateleg/domain/workflows/workflow'
import type { WorkflowRepository } from '@gateleg/domain/workflows/workflow-repository'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { markDeletedIn, readDeletedIn, restoreIn } from '../core/own-tables/deletion-mark.ts'
import { valuesOf } from '../core/own-tables/insert-row.ts'
import { insertRows } from '../core/own-tables/insert-rows.ts'
import type { SqlSession } from '../core/session.ts'
import type { DeletionColumns } from '../metadata/table-columns.ts'
import { type WorkflowRow, workflowColumns } from '../metadata/tables/workflow-table.ts'
import { keptByUsers } from '../pins/kept-by-users.ts'

const findWith = (lock: Lock, which: 'living' | 'all') =>
  prepared<{ id: string }, WorkflowRow>((db, value, dialect) =>
    db
      .selectFrom('workflows')
      .selectAll()
      .where('id', '=', value('id'))
      .$if(which === 'living', (query) => query.where('deletion_id', 'is', null))
      .modifyEnd(dialect.locks.clause(lock, 'workflows'))
      .$castTo<WorkflowRow>(),
  )
const findAnyOf = (which: 'living' | 'all') => ({
  none: findWith('none', which),
  share: findWith('share', which),
  update: findWith('update', which),
})
const findLiving = findAnyOf('living')
const findOrTrash = findAnyOf('all')

const allIn = prepared<{ baseId: string; after: string; most: number }, WorkflowRow>((db, value) =>
  db
    .selectFrom('workflows')
    .selectAll()
    .where('base_id', '=', value('baseId'))
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(value('most')),
)

const listOf = prepared<{ baseId: string }, WorkflowRow>((db, value) =>
  db
    .selectFrom('workflows')
    .selectAll()
    .where('base_id', '=', value('baseId'))
    .where('deletion_id', 'is', null)
    .orderBy('created_time')
    .orderBy('id'),
)

const readDeleted = readDeletedIn('workflows', 'base_id', workflowColumns.toEntity)

const listNames = prepared<{ baseId: string }, { name: string }>((db, value) =>
  db
    .selectFrom('workflows')
    .select('name')
    .where('base_id', '=', value('baseId'))
    .where('deletion_id', 'is', null),
)

const flowsLength = prepared<{ baseId: string }, { length: number | string | null }>((db, value) =>
  db
    .selectFrom('workflows')
    .select(({ fn, ref }) =>
      fn
        .sum<number | string | null>(
          sql`coalesce(length(${ref('draft')}), 0) + coalesce(length(${ref('published')}), 0)`,
        )
        .as('length'),
    )
    .where('base_id', '=', value('baseId'))
    .where('deletion_id', 'is', null),
)

/** What changes of a workflow replace, beside the version. */
const changedColumns = workflowColumns.except(
  ...(['id', 'base_id', 'created_by', 'created_time', 'version'] as const),
)

const update = prepared<Omit<WorkflowRow, keyof DeletionColumns>, unknown>((db, value) =>
  db
    .updateTable('workflows')
    .set((eb) => ({ ...valuesOf(changedColumns, value), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const markDeleted = markDeletedIn('workflows')
const restore = restoreIn('workflows')

const removals = [
  prepared<{ id: string }, unknown>((db, value) =>
    db
      .deleteFrom('trash_entries')
      .where(
        'id',
        'in',
        db.selectFrom('workflows').select('deletion_id').where('id', '=', value('id')),
      ),
  ),
  deleteFrom('workflows', 'id'),
  ...keptByUsers,
]

export class SqlWorkflowRepository implements WorkflowRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<Workflow | undefined> {
    const row = await this.#session.first(findLiving[lock], { id })
    return row && workflowColumns.toEntity(row)
  }

  async findDeleted(id: string): Promise<Workflow | undefined> {
    const found = await this.findOrTrash(id, 'none')
    return found?.isDeleted ? found.workflow : undefined
  }

  async findOrTrash(
    id: string,
    lock: Lock,
  ): Promise<MaybeDeleted<{ readonly workflow: Workflow }>> {
    const row = await this.#session.first(findOrTrash[lock], { id })
    if (!row) return undefined
    return { workflow: workflowColumns.toEntity(row), isDeleted: row.deletion_id !== null }
  }

  async listOf(baseId: string): Promise<readonly Workflow[]> {
    return (await this.#session.all(listOf, { baseId })).map(workflowColumns.toEntity)
  }

  async allIn(
    baseId: string,
    { after, most }: { readonly after: string; readonly most: number },
  ): Promise<readonly Workflow[]> {
    const rows = await this.#session.all(allIn, { baseId, after, most })
    return rows.map(workflowColumns.toEntity)
  }

  deletedIn(baseId: string, page: DeletedPage): Promise<readonly Deleted<Workflow>[]> {
    return readDeleted(this.#session, baseId, page)
  }

  async listNames(baseId: string): Promise<readonly string[]> {
    return (await this.#session.all(listNames, { baseId })).map(({ name }) => name)
  }

  async flowsLength(baseId: string): Promise<number> {
    return Number((await this.#session.one(flowsLength, { baseId })).length ?? 0)
  }

  async insert(workflows: readonly Workflow[]): Promise<void> {
    await insertRows(this.#session, 'workflows', workflowColumns, workflows)
  }

  async update(workflow: Workflow): Promise<void> {
    await this.#session.run(update, workflowColumns.toRow(workflow))
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }

  async restore(id: string): Promise<void> {
    await this.#session.run(restore, { ids: [id] })
  }

  async delete(id: string): Promise<void> {
    for (const removal of removals) await this.#session.run(removal, { id })
  }
}
