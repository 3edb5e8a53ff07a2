import type { FoundName, NameFinder, NameSearch } from '@gateleg/domain/tree/name-finder'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'

const count = prepared<{ spaceId: string }, { count: number | string }>((db, value) =>
  db
    .selectFrom('bases')
    .innerJoin('nodes', 'nodes.base_id', 'bases.id')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('bases.space_id', '=', value('spaceId')),
)

interface FoundRow {
  id: string | null
  type: string
  name: string
  icon: string | null
  base_id: string
  base_name: string
  folded: string
}

/** Looks at every name of a space's bases: they are few beside records, and have no index of their parts. */
export class SqlNameFinder implements NameFinder {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async countIn(spaceId: string): Promise<number> {
    return Number((await this.#session.one(count, { spaceId })).count)
  }

  async find(search: NameSearch) {
    const rows = await this.#session.allOnce(this.#page(search))
    return {
      total: Number(rows[0]?.total ?? 0),
      found: rows.flatMap((row) => (row.id === null ? [] : [toFound({ ...row, id: row.id })])),
    }
  }

  /** The page, each row with the total: a row without a thing where the page is empty. */
  #page(search: NameSearch) {
    const { after, take } = search
    return this.#session.db
      .with(
        (cte) => cte('found').materialized(),
        () => this.#bases(search).unionAll(this.#inTrees(search)),
      )
      .with('page', (db) =>
        db
          .selectFrom('found')
          .selectAll()
          .$if(after !== undefined, (query) =>
            query.where(sql<boolean>`(folded, id) > (${after?.folded}, ${after?.id})`),
          )
          .orderBy('folded')
          .orderBy('id')
          .limit(take),
      )
      .selectFrom((eb) =>
        eb
          .selectFrom('found')
          .select(({ fn }) => fn.countAll<number | string>().as('total'))
          .as('counted'),
      )
      .leftJoin('page', (join) => join.onTrue())
      .selectAll()
      .orderBy('page.folded')
      .orderBy('page.id')
      .$castTo<FoundRow & { total: number | string }>()
  }

  #bases({ spaceId, types, part }: NameSearch) {
    return this.#livingBases(spaceId)
      .select(['bases.id', sql<string>`'base'`.as('type'), 'bases.name', 'bases.icon'])
      .select(['bases.id as base_id', 'bases.name as base_name'])
      .select(this.#folded('bases.name').as('folded'))
      .where(this.#contains('bases.name', part))
      .$if(!types.includes('base'), (query) => query.where(sql<boolean>`1 = 0`))
      .$castTo<FoundRow>()
  }

  #inTrees({ spaceId, types, part }: NameSearch) {
    const { dialect, db } = this.#session
    const inTree = types.filter((type) => type !== 'base')
    const named = this.#livingBases(spaceId)
      .innerJoin('nodes', 'nodes.base_id', 'bases.id')
      .leftJoin('folders', 'folders.id', 'nodes.resource_id')
      .leftJoin('tables', 'tables.id', 'nodes.resource_id')
      .leftJoin('dashboards', 'dashboards.id', 'nodes.resource_id')
      .leftJoin('workflows', 'workflows.id', 'nodes.resource_id')
      .where('nodes.deletion_id', 'is', null)
      .where(dialect.lists.isIn('nodes.resource_type', inTree))
      .select(['nodes.resource_id as id', 'nodes.resource_type as type', 'tables.icon'])
      .select(['bases.id as base_id', 'bases.name as base_name'])
      .select(({ fn }) => [
        fn.coalesce('folders.name', 'tables.name', 'dashboards.name', 'workflows.name').as('name'),
      ])
    return db
      .selectFrom(named.as('named'))
      .select(['named.id', 'named.type', 'named.name', 'named.icon'])
      .select(['named.base_id', 'named.base_name'])
      .select(this.#folded('named.name').as('folded'))
      .where(this.#contains('named.name', part))
      .$castTo<FoundRow>()
  }

  #livingBases(spaceId: string) {
    return this.#session.db
      .selectFrom('bases')
      .where('bases.space_id', '=', spaceId)
      .where('bases.deletion_id', 'is', null)
  }

  #folded(name: string) {
    return this.#session.dialect.queries.fold(sql.ref(name))
  }

  #contains(name: string, part: string) {
    return this.#session.dialect.queries.foldedContains(sql.ref(name), part)
  }
}

function toFound({ id, type, name, icon, ...row }: FoundRow & { id: string }): FoundName {
  const { base_id: baseId, base_name: baseName } = row
  return { id, type: type as FoundName['type'], name, icon, baseId, baseName }
}
