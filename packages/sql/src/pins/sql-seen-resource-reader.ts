import type { NamedResource, SeenResource } from '@gateleg/domain/pins/seen-resource'
import type { SeenResourceReader } from '@gateleg/domain/pins/seen-resource-reader'
import { sql } from 'kysely'
import { roleIn } from '../collaborators/role-columns.ts'
import { prepared, type QueryBuilder } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'

type Key = { readonly userId: string; readonly ids: readonly string[] }

interface Row {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly icon: string | null
  readonly parent_id: string | null
  readonly base_id: string | null
  readonly view_type: string | null
}

const spaces = prepared<Key, Row>((db, value, dialect) =>
  db
    .selectFrom('spaces')
    .select(['spaces.id', 'spaces.name', sql<string>`'space'`.as('type')])
    .where(dialect.lists.isIn('spaces.id', value('ids')))
    .where('spaces.deletion_id', 'is', null)
    .where((eb) => eb.exists(roleIn(db, 'spaces.id', value('userId'))))
    .$castTo<Row>(),
)

/** The living bases in which the user has a role, of their own or by the space. */
function seenBases(db: QueryBuilder, userId: string) {
  return db
    .selectFrom('bases')
    .innerJoin('spaces', 'spaces.id', 'bases.space_id')
    .where('bases.deletion_id', 'is', null)
    .where('spaces.deletion_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb.exists(roleIn(db, 'bases.id', userId)),
        eb.exists(roleIn(db, 'bases.space_id', userId)),
      ]),
    )
}

const bases = prepared<Key, Row>((db, value, dialect) =>
  seenBases(db, value('userId'))
    .select(['bases.id', 'bases.name', 'bases.icon', sql<string>`'base'`.as('type')])
    .select(['bases.space_id as parent_id', 'bases.id as base_id'])
    .where(dialect.lists.isIn('bases.id', value('ids')))
    .$castTo<Row>(),
)

const inTree = prepared<Key, Row>((db, value, dialect) =>
  seenBases(db, value('userId'))
    .innerJoin('nodes', 'nodes.base_id', 'bases.id')
    .leftJoin('folders', 'folders.id', 'nodes.resource_id')
    .leftJoin('tables', 'tables.id', 'nodes.resource_id')
    .leftJoin('dashboards', 'dashboards.id', 'nodes.resource_id')
    .leftJoin('workflows', 'workflows.id', 'nodes.resource_id')
    .select(['nodes.resource_id as id', 'nodes.resource_type as type', 'tables.icon'])
    .select(({ fn }) => [
      fn.coalesce('folders.name', 'tables.name', 'dashboards.name', 'workflows.name').as('name'),
    ])
    .select(['bases.id as parent_id', 'bases.id as base_id'])
    .where(dialect.lists.isIn('nodes.resource_id', value('ids')))
    .where('nodes.deletion_id', 'is', null)
    .$castTo<Row>(),
)

const views = prepared<Key, Row>((db, value, dialect) =>
  seenBases(db, value('userId'))
    .innerJoin('tables', 'tables.base_id', 'bases.id')
    .innerJoin('views', 'views.table_id', 'tables.id')
    .select(['views.id', 'views.name', 'views.type as view_type', sql<string>`'view'`.as('type')])
    .select(['tables.id as parent_id', 'bases.id as base_id'])
    .where(dialect.lists.isIn('views.id', value('ids')))
    .where('views.deletion_id', 'is', null)
    .where('tables.deletion_id', 'is', null)
    .$castTo<Row>(),
)

export class SqlSeenResourceReader implements SeenResourceReader {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(userId: string, named: readonly NamedResource[]): Promise<readonly SeenResource[]> {
    const found: SeenResource[] = []
    const byQuery = Map.groupBy(named, ({ type }) => queryOf[type] ?? inTree)
    for (const [query, ofQuery] of byQuery) {
      const ids = [...new Set(ofQuery.map(({ id }) => id))]
      const rows = await this.#session.all(query, { userId, ids })
      const asked = new Set(ofQuery.map(({ type, id }) => `${type} ${id}`))
      found.push(...rows.map(toResource).filter(({ type, id }) => asked.has(`${type} ${id}`)))
    }
    return found
  }
}

/** All others lie in the tree of a base. */
const queryOf: { readonly [Type in NamedResource['type']]?: typeof spaces } = {
  space: spaces,
  base: bases,
  view: views,
}

function toResource(row: Row): SeenResource {
  const { id, name, icon = null } = row
  const { parent_id: parentId = null, base_id: baseId = null, view_type: viewType = null } = row
  return { id, type: row.type as SeenResource['type'], name, icon, parentId, baseId, viewType }
}
