import type { Deletion } from '@gateleg/domain/trash/deletion'
import type { NodeRepository } from '@gateleg/domain/tree/node-repository'
import type { Placement } from '@gateleg/domain/tree/tree'
import type { DescribedNode, ResourceType, TreeNode } from '@gateleg/domain/tree/tree-node'
import { sql } from 'kysely'
import { prepared, type QueryBuilder } from '../core/database.ts'
import { markDeletedIn } from '../core/deletion-mark.ts'
import type { DeletionColumns, NodeRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

type PlaceRow = Omit<NodeRow, keyof DeletionColumns>

interface DescribedRow extends PlaceRow {
  name: string
  icon: string | null
  default_view_id: string | null
}

const placeColumns = [
  'nodes.id',
  'nodes.base_id',
  'nodes.parent_id',
  'nodes.resource_type',
  'nodes.resource_id',
  'nodes.position',
  'nodes.version',
] as const

/** The living nodes with what their resources show: one query, whatever the types are. */
function describedNodes(db: QueryBuilder) {
  return db
    .selectFrom('nodes')
    .leftJoin('folders', 'folders.id', 'nodes.resource_id')
    .leftJoin('tables', 'tables.id', 'nodes.resource_id')
    .leftJoin('dashboards', 'dashboards.id', 'nodes.resource_id')
    .leftJoin('workflows', 'workflows.id', 'nodes.resource_id')
    .select([...placeColumns, 'tables.icon'])
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

const insert = prepared<PlaceRow, unknown>((db, value) =>
  db.insertInto('nodes').values({
    id: value('id'),
    base_id: value('base_id'),
    parent_id: value('parent_id'),
    resource_type: value('resource_type'),
    resource_id: value('resource_id'),
    position: value('position'),
    version: value('version'),
  } as never),
)

const bump = prepared<{ id: string }, unknown>((db, value) =>
  db
    .updateTable('nodes')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const markDeleted = markDeletedIn('nodes')

const remove = prepared<{ id: string }, unknown>((db, value) =>
  db.deleteFrom('nodes').where('id', '=', value('id')),
)

const removeOf = prepared<{ resourceId: string }, unknown>((db, value) =>
  db.deleteFrom('nodes').where('resource_id', '=', value('resourceId')),
)

function toNode(row: PlaceRow): TreeNode {
  return {
    id: row.id,
    baseId: row.base_id,
    parentId: row.parent_id,
    resourceType: row.resource_type as ResourceType,
    resourceId: row.resource_id,
    order: row.position,
    version: row.version,
  }
}

function toDescribedNode(row: DescribedRow): DescribedNode {
  const { name, icon, default_view_id: defaultViewId } = row
  return { ...toNode(row), name, icon, defaultViewId }
}

export class SqlNodeRepository implements NodeRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listPlaces(baseId: string): Promise<readonly TreeNode[]> {
    return (await this.#session.all(listPlaces, { baseId })).map(toNode)
  }

  async list(baseId: string): Promise<readonly DescribedNode[]> {
    return (await this.#session.all(list, { baseId })).map(toDescribedNode)
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
    return (await this.#session.all(listChildren, { id })).map(toNode)
  }

  async insert(node: TreeNode): Promise<void> {
    await this.#session.run(insert, {
      id: node.id,
      base_id: node.baseId,
      parent_id: node.parentId,
      resource_type: node.resourceType,
      resource_id: node.resourceId,
      position: node.order,
      version: node.version,
    })
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

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async deleteOf(resourceId: string): Promise<void> {
    await this.#session.run(removeOf, { resourceId })
  }
}

interface NodePlace {
  id: string
  parent_id: string | null
  position: number
}
