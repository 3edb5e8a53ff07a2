import type { Places } from '@gateleg/domain/access/places'
import type { Base } from '@gateleg/domain/bases/base'
import type { BaseRepository, BaseWithRole } from '@gateleg/domain/bases/base-repository'
import { spaceOfUnfinished } from '@gateleg/domain/bases/unfinished-base'
import { assert } from '@gateleg/domain/errors'
import { idPrefixes } from '@gateleg/domain/ids/id-prefixes'
import { limits } from '@gateleg/domain/limits'
import type { Deletion } from '@gateleg/domain/trash/deletion'
import { sql } from 'kysely'
import { type RoleColumns, roleIn, toRole } from '../collaborators/role-columns.ts'
import { prepared, type QueryBuilder } from '../core/database.ts'
import { markDeletedIn, restoreIn } from '../core/own-tables/deletion-mark.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type BaseRow, baseColumns } from '../metadata/tables/base-table.ts'

/** The living bases of living spaces, with the user's roles. */
function livingBases(db: QueryBuilder, userId: string) {
  return db
    .selectFrom('bases')
    .innerJoin('spaces', 'spaces.id', 'bases.space_id')
    .selectAll('bases')
    .select(roleIn(db, 'bases.space_id', userId).as('space_role'))
    .select(roleIn(db, 'bases.id', userId).as('base_role'))
    .where('bases.deletion_id', 'is', null)
    .where('spaces.deletion_id', 'is', null)
    .where(({ eb, or }) => {
      const places = db
        .selectFrom('collaborators')
        .select('resource_id')
        .where('user_id', '=', userId)
      return or([eb('bases.id', 'in', places), eb('bases.space_id', 'in', places)])
    })
}

/** All bases of a user: by space, oldest first, then by place, so many at most. */
function allBases(db: QueryBuilder, userId: string, most: number) {
  return livingBases(db, userId)
    .orderBy('spaces.created_time')
    .orderBy('spaces.id')
    .orderBy('bases.position')
    .orderBy('bases.id')
    .limit(most)
}

type Row = BaseRow & RoleColumns

const listOf = prepared<{ spaceId: string; userId: string }, Row>((db, value) =>
  livingBases(db, value('userId'))
    .where('bases.space_id', '=', value('spaceId'))
    .orderBy('bases.position')
    .orderBy('bases.id'),
)

const listAll = prepared<{ userId: string; most: number }, Row>((db, value) =>
  allBases(db, value('userId'), value('most')),
)

const listReached = prepared<{ userId: string; most: number } & Places, Row>((db, value, dialect) =>
  allBases(db, value('userId'), value('most')).where(({ or }) =>
    or([
      dialect.lists.isIn('bases.space_id', value('spaceIds')),
      dialect.lists.isIn('bases.id', value('baseIds')),
    ]),
  ),
)

const listPlaces = prepared<{ spaceId: string }, { id: string; position: number }>((db, value) =>
  db
    .selectFrom('bases')
    .select(['id', 'position'])
    .where('space_id', '=', value('spaceId'))
    .where('deletion_id', 'is', null),
)

const insert = insertInto('bases', baseColumns)

type Change = Parameters<BaseRepository['update']>[1]

const update = prepared<{ id: string } & Change, BaseRow>((db, value) =>
  db
    .updateTable('bases')
    .set((eb) => ({
      name: value('name'),
      icon: value('icon'),
      last_modified_time: value('lastModifiedTime'),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', value('id'))
    .returningAll(),
)

const finish = prepared<Parameters<BaseRepository['finish']>[0], { id: string }>((db, value) =>
  db
    .updateTable('bases')
    .set({
      space_id: value('spaceId'),
      position: value('order'),
      name: value('name'),
      icon: value('icon'),
    })
    .where('id', '=', value('id'))
    .where('space_id', '=', spaceOfUnfinished)
    .returning('id'),
)

type Move = { id: string; spaceId: string; order: number; lastModifiedTime: string }

const moveTo = prepared<Move, unknown>((db, value) =>
  db
    .updateTable('bases')
    .set((eb) => ({
      space_id: value('spaceId'),
      position: value('order'),
      last_modified_time: value('lastModifiedTime'),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', value('id')),
)

const movePins = prepared<{ id: string; spaceId: string }, unknown>((db, value) =>
  db
    .updateTable('pins')
    .set({ parent_id: value('spaceId') })
    .where('resource_id', '=', value('id')),
)

const forgetVisits = prepared<{ id: string; left: string }, unknown>((db, value) =>
  db
    .deleteFrom('last_visits')
    .where('resource_id', '=', value('id'))
    .where('parent_id', '=', value('left')),
)

const countUnfinished = prepared<{ userId: string }, { count: number | string }>((db, value) =>
  db
    .selectFrom('bases')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('space_id', '=', spaceOfUnfinished)
    .where('created_by', '=', value('userId')),
)

/** Whose ids begin so. */
const tablesByPrefix = {
  [idPrefixes.base]: 'bases',
  [idPrefixes.node]: 'nodes',
  [idPrefixes.folder]: 'folders',
  [idPrefixes.dashboard]: 'dashboards',
  [idPrefixes.workflow]: 'workflows',
  [idPrefixes.table]: 'tables',
  [idPrefixes.field]: 'fields',
  [idPrefixes.view]: 'views',
} as const

const findTaken = Object.entries(tablesByPrefix).map(
  ([prefix, table]) =>
    [
      prefix,
      prepared<{ ids: readonly string[] }, { id: string }>((db, value, dialect) =>
        db
          .selectFrom(table as 'bases')
          .select('id')
          // SQLite takes names of tables and indexes for the same whose letters differ in case alone, and these have ids in them.
          .where(dialect.lists.isIn(sql<string>`lower(id)`, value('ids'))),
      ),
    ] as const,
)

/** No name has the id of an entry in it. */
const findEntries = prepared<{ ids: readonly string[] }, { id: string }>((db, value, dialect) =>
  db
    .selectFrom('trash_entries')
    .select('id')
    .where(dialect.lists.isIn('id', value('ids'))),
)

const dropUnfinished = prepared<{ id: string }, { id: string }>((db, value) =>
  db
    .deleteFrom('bases')
    .where('id', '=', value('id'))
    .where('space_id', '=', spaceOfUnfinished)
    .returning('id'),
)

const markDeleted = markDeletedIn('bases')

const restore = restoreIn('bases')

function toBaseWithRole(row: Row): BaseWithRole {
  const role = toRole(row)
  assert(role, 'a base that is listed for a user has a role for them')
  return { base: baseColumns.toEntity(row), role }
}

export class SqlBaseRepository implements BaseRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOf(spaceId: string, userId: string): Promise<readonly BaseWithRole[]> {
    return (await this.#session.all(listOf, { spaceId, userId })).map(toBaseWithRole)
  }

  async listAll(userId: string, reach?: Places): Promise<readonly BaseWithRole[]> {
    const most = limits.basesPerList
    const rows = reach
      ? await this.#session.all(listReached, { userId, most, ...reach })
      : await this.#session.all(listAll, { userId, most })
    return rows.map(toBaseWithRole)
  }

  async listPlaces(spaceId: string): Promise<readonly Pick<Base, 'id' | 'order'>[]> {
    const rows = await this.#session.all(listPlaces, { spaceId })
    return rows.map(({ id, position }) => ({ id, order: position }))
  }

  async insert(base: Base): Promise<void> {
    await this.#session.run(insert, baseColumns.toRow(base))
    const { tables } = this.#session.dialect
    for (const statement of tables.createSchema(base.id)) await this.#session.define(statement)
  }

  async update(id: string, change: Change): Promise<Base> {
    return baseColumns.toEntity(await this.#session.one(update, { id, ...change }))
  }

  async finish({ id, spaceId, order, name, icon }: Parameters<BaseRepository['finish']>[0]) {
    const found = await this.#session.first(finish, { id, spaceId, order, name, icon })
    return found !== undefined
  }

  async countUnfinishedHeld(userId: string): Promise<number> {
    const { connection, dialect } = this.#session
    await dialect.locks.claim(connection, `unfinished bases ${userId}`)
    return Number((await this.#session.one(countUnfinished, { userId })).count)
  }

  async findTaken(ids: readonly string[]): Promise<readonly string[]> {
    const taken: string[] = []
    for (const [prefix, query] of findTaken) {
      const asked = ids.filter((id) => id.startsWith(prefix)).map((id) => id.toLowerCase())
      if (asked.length === 0) continue
      const rows = await this.#session.all(query, { ids: asked })
      taken.push(...rows.map(({ id }) => id))
    }
    const entryIds = ids.filter((id) => id.startsWith(idPrefixes.operation))
    if (entryIds.length > 0) {
      const rows = await this.#session.all(findEntries, { ids: entryIds })
      taken.push(...rows.map(({ id }) => id))
    }
    return taken
  }

  async dropUnfinished(id: string): Promise<boolean> {
    return (await this.#session.first(dropUnfinished, { id })) !== undefined
  }

  async place(ordersById: ReadonlyMap<string, number>): Promise<void> {
    const rows = [...ordersById].map(
      ([id, order]) => sql`(${id}, cast(${order} as double precision))`,
    )
    await this.#session.runOnce(
      this.#session.db
        .with('placed(id, position)', () => sql<BasePlace>`(values ${sql.join(rows)})`)
        .updateTable('bases')
        .from('placed')
        .set(({ ref }) => ({ position: ref('placed.position') }))
        .whereRef('bases.id', '=', 'placed.id'),
    )
  }

  async moveTo(
    { id, spaceId: left }: Parameters<BaseRepository['moveTo']>[0],
    { spaceId, order, lastModifiedTime }: Parameters<BaseRepository['moveTo']>[1],
  ): Promise<void> {
    await this.#session.run(moveTo, { id, spaceId, order, lastModifiedTime })
    await this.#session.run(movePins, { id, spaceId })
    await this.#session.run(forgetVisits, { id, left })
  }

  async restore(id: string): Promise<void> {
    await this.#session.run(restore, { ids: [id] })
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }
}

interface BasePlace {
  id: string
  position: number
}
