import type { Deleted, DeletedPage, Deletion } from '@gateleg/domain/trash/deletion'
import type { NodeRepository } from '@gateleg/domain/tree/node-repository'
import type { Placement } from '@gateleg/domain/tree/tree'
import type { DescribedNode, TreeNode } from '@gateleg/domain/tree/tree-node'
import { sql } from 'kysely'
import { prepared, type QueryBuilder } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { markDeletedIn, noDeletion, readDeletedIn } from '../core/own-tables/deletion-mark.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import type { RowOf } from '../metadata/table-columns.ts'
import { nodeColumns } from '../metadata/tables/node-table.ts'

type PlaceRow = RowOf<typeof nodeColumns>

interface DescribedRow extends PlaceRow {
  name: string
  icon: string | null
  default_view_id: string | null
  workflow_id: string | null
  active_by: string | null
}

const placeColumns = nodeColumns.names.map((name) => `nodes.${name}` as const)

/** The living nodes with what their resources show: one query, whatever the types are. */
function describedNodes(db: QueryBuilder) {
  return db
    .selectFrom('nodes')
    .leftJoin('folders', 'folders.id', 'nodes.resource_id')
    .leftJoin('tables', 'tables.id', 'nodes.resource_id')
    .leftJoin('dashboards', 'dashboards.id', 'nodes.resource_id')
    .leftJoin('workflows', 'workflows.id', 'nodes.resource_id')
    .select([...placeColumns, 'tables.icon', 'workflows.active_by'])
    .select('workflows.id as workflow_id')
    .select(({ fn, selectFrom }) => [
      fn.coalesce('folders.name', 'tables.name', 'dashboards.name', 'workflows.name').as('name'),
      selectFrom('views')
        .select('views.id')
        .whereRef('views.table_id', '=', 'nodes.resource_id')
        .where('views.deletion_id', 'is', null)
        .orderBy('views.position')
        .orderBy('views.id')
        .limit(1)
        .as('default_view_id'),
    ])
    .where('nodes.deletion_id', 'is', null)
    .$castTo<DescribedRow>()
}

const listPlaces = prepared<{ baseId: string }, PlaceRow>((db, value) =>
  db
    .selectFrom('nodes')
    .select(placeColumns)
    .where('base_id', '=', value('baseId'))
    .where('deletion_id', 'is', null),
)

const list = prepared<{ baseId: string }, DescribedRow>((db, value) =>
  describedNodes(db)
    .where('nodes.base_id', '=', value('baseId'))
    .orderBy('nodes.position')
    .orderBy('nodes.id'),
)

const ordersInTrash = prepared<{ baseId: string; most: number }, { position: number }>(
  (db, value) =>
    db
      .selectFrom('nodes')
      .select('position')
      .where('base_id', '=', value('baseId'))
      .where('deletion_id', 'is not', null)
      .orderBy('position', 'desc')
      .limit(value('most')),
)

const readDeleted = readDeletedIn('nodes', 'base_id', nodeColumns.toEntity)

const find = prepared<{ baseId: string; id: string }, DescribedRow>((db, value) =>
  describedNodes(db)
    .where('nodes.id', '=', value('id'))
    .where('nodes.base_id', '=', value('baseId')),
)

const findOf = prepared<{ resourceId: string }, DescribedRow>((db, value) =>
  describedNodes(db).where('nodes.resource_id', '=', value('resourceId')),
)

const listChildren = prepared<{ id: string }, PlaceRow>((db, value) =>
  db
    .selectFrom('nodes')
    .select(placeColumns)
    .where('parent_id', '=', value('id'))
    .where('deletion_id', 'is', null)
    .orderBy('position')
    .orderBy('id'),
)

const insert = insertInto('nodes', nodeColumns)

const bump = prepared<{ id: string }, unknown>((db, value) =>
  db
    .updateTable('nodes')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const markDeleted = markDeletedIn('nodes')

const restoreOf = prepared<{ resourceId: string }, unknown>((db, value) =>
  db.updateTable('nodes').set(noDeletion).where('resource_id', '=', value('resourceId')),
)

const remove = deleteFrom('nodes', 'id')

const removeOf = deleteFrom('nodes', 'resource_id')

function toDescribedNode(row: DescribedRow): DescribedNode {
  const { name, icon, default_view_id: defaultViewId } = row
  const isActive = row.workflow_id === null ? null : row.active_by !== null
  return { ...nodeColumns.toEntity(row), name, icon, defaultViewId, isActive }
}

export class SqlNodeRepository implements NodeRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listPlaces(baseId: string): Promise<readonly TreeNode[]> {
    return (await this.#session.all(listPlaces, { baseId })).map(nodeColumns.toEntity)
  }

  async ordersInTrash(baseId: string, most: number): Promise<readonly number[]> {
    const rows = await this.#session.all(ordersInTrash, { baseId, most })
    return rows.map(({ position }) => position)
  }

  async list(baseId: string): Promise<readonly DescribedNode[]> {
    return (await this.#session.all(list, { baseId })).map(toDescribedNode)
  }

  deletedIn(baseId: string, page: DeletedPage): Promise<readonly Deleted<TreeNode>[]> {
    return readDeleted(this.#session, baseId, page)
  }

  async find(baseId: string, id: string): Promise<DescribedNode | undefined> {
    const row = await this.#session.first(find, { baseId, id })
    return row && toDescribedNode(row)
  }

  async findOf(resourceId: string): Promise<DescribedNode | undefined> {
    const row = await this.#session.first(findOf, { resourceId })
    return row && toDescribedNode(row)
  }

  async listChildren(id: string): Promise<readonly TreeNode[]> {
    return (await this.#session.all(listChildren, { id })).map(nodeColumns.toEntity)
  }

  async insert(node: TreeNode): Promise<void> {
    await this.#session.run(insert, nodeColumns.toRow(node))
  }

  async place(placements: readonly Placement[]): Promise<void> {
    if (placements.length === 0) return
    const rows = placements.map(
      ({ id, parentId, order }) =>
        sql`(${id}, cast(${parentId} as text), cast(${order} as double precision))`,
    )
    await this.#session.runOnce(
      this.#session.db
        .with('placed(id, parent_id, position)', () => sql<NodePlace>`(values ${sql.join(rows)})`)
        .updateTable('nodes')
        .from('placed')
        .set(({ ref, eb }) => ({
          parent_id: ref('placed.parent_id'),
          position: ref('placed.position'),
          version: eb('nodes.version', '+', 1),
        }))
        .whereRef('nodes.id', '=', 'placed.id'),
    )
  }

  async bump(id: string): Promise<void> {
    await this.#session.run(bump, { id })
  }

  async restoreOf(resourceId: string): Promise<void> {
    await this.#session.run(restoreOf, { resourceId })
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async deleteOf(resourceId: string): Promise<void> {
    await this.#session.run(removeOf, { id: resourceId })
  }
}

interface NodePlace {
  id: string
  parent_id: string | null
  position: number
}
