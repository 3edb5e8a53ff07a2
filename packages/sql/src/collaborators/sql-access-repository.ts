import type { Lock, MaybeDeleted } from '@gateleg/domain/access/lock'
import type { Places } from '@gateleg/domain/access/places'
import type { Role } from '@gateleg/domain/access/roles'
import type { BaseAccess } from '@gateleg/domain/bases/base-access'
import type { AccessRepository } from '@gateleg/domain/collaborators/access-repository'
import type { SpaceAccess } from '@gateleg/domain/spaces/space-access'
import type { TableAccess } from '@gateleg/domain/tables/table-access'
import type { ProfilesRead } from '../accounts/profiles-read.ts'
import { type PreparedQuery, prepared, type QueryBuilder } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import { type BaseRow, baseColumns } from '../metadata/tables/base-table.ts'
import { type SpaceRow, spaceColumns } from '../metadata/tables/space-table.ts'
import { type TableRow, tableColumns } from '../metadata/tables/table-table.ts'
import { type RoleColumns, roleIn, toRole } from './role-columns.ts'

type Key = { id: string; userId: string }
type Held = 'spaces' | 'bases' | 'tables'

/** Holds one row. What depends on it is read after, as it is once nobody else holds the row any more. */
const holdQueries = Object.fromEntries(
  (['spaces', 'bases', 'tables'] as const).flatMap((table) =>
    (['share', 'update'] as const).map((lock) => [
      `${table} ${lock}`,
      prepared<{ id: string }, { id: string }>((db, value, dialect) =>
        db
          .selectFrom(table)
          .select('id')
          .where('id', '=', value('id'))
          .modifyEnd(dialect.locks.clause(lock, table)),
      ),
    ]),
  ),
) as Readonly<Record<`${Held} ${Exclude<Lock, 'none'>}`, PreparedQuery<{ id: string }, unknown>>>

const spaceQuery = prepared<Key, SpaceRow & { space_role: string | null }>((db, value) =>
  db
    .selectFrom('spaces')
    .selectAll('spaces')
    .select(roleIn(db, 'spaces.id', value('userId')).as('space_role'))
    .where('spaces.id', '=', value('id'))
    .where('spaces.deletion_id', 'is', null),
)

const baseQuery = prepared<Key, BaseRow & RoleColumns>((db, value) =>
  db
    .selectFrom('bases')
    .innerJoin('spaces', 'spaces.id', 'bases.space_id')
    .selectAll('bases')
    .select(roleIn(db, 'bases.space_id', value('userId')).as('space_role'))
    .select(roleIn(db, 'bases.id', value('userId')).as('base_role'))
    .where('bases.id', '=', value('id'))
    .where('bases.deletion_id', 'is', null)
    .where('spaces.deletion_id', 'is', null),
)

const spaceOrTrashQuery = prepared<Key, SpaceRow & { space_role: string | null }>((db, value) =>
  db
    .selectFrom('spaces')
    .selectAll('spaces')
    .select(roleIn(db, 'spaces.id', value('userId')).as('space_role'))
    .where('spaces.id', '=', value('id')),
)

const baseOrTrashQuery = prepared<
  Key,
  BaseRow & RoleColumns & { space_deletion_id: string | null }
>((db, value) =>
  db
    .selectFrom('bases')
    .innerJoin('spaces', 'spaces.id', 'bases.space_id')
    .selectAll('bases')
    .select('spaces.deletion_id as space_deletion_id')
    .select(roleIn(db, 'bases.space_id', value('userId')).as('space_role'))
    .select(roleIn(db, 'bases.id', value('userId')).as('base_role'))
    .where('bases.id', '=', value('id')),
)

/** What the names of the base's columns begin with, where the table's are in the same row. */
const basePrefix = 'of_base_'

const toBase = baseColumns.reader(basePrefix)

/** A table with the user's roles and profile, in the trash or not. */
type AccessedTableRow = TableRow & RoleColumns & UserColumns

/** The profile comes along, since most answers name the caller; null where there is no such user. */
interface UserColumns {
  readonly user_name: string | null
  readonly user_email: string | null
  readonly user_avatar: string | null
}

const tableQuery = prepared<Key, AccessedTableRow>((db, value) =>
  tablesOfLivingBases(db, value('userId'))
    .where('tables.id', '=', value('id'))
    .where('tables.deletion_id', 'is', null),
)

const tableOrTrashQuery = prepared<Key, AccessedTableRow>((db, value) =>
  tablesOfLivingBases(db, value('userId')).where('tables.id', '=', value('id')),
)

/** The base's columns travel as one row with the table's, under names of their own. */
function tablesOfLivingBases(db: QueryBuilder, userId: string) {
  return db
    .selectFrom('tables')
    .innerJoin('bases', 'bases.id', 'tables.base_id')
    .innerJoin('spaces', 'spaces.id', 'bases.space_id')
    .leftJoin('users', (join) => join.on('users.id', '=', userId))
    .selectAll('tables')
    .select(['users.name as user_name', 'users.email as user_email'])
    .select('users.avatar as user_avatar')
    .select(baseColumns.names.map((name) => `bases.${name} as ${basePrefix}${name}` as const))
    .select(roleIn(db, 'bases.space_id', userId).as('space_role'))
    .select(roleIn(db, 'bases.id', userId).as('base_role'))
    .where('bases.deletion_id', 'is', null)
    .where('spaces.deletion_id', 'is', null)
}

type Ids = { ids: readonly string[]; userId: string }

const spacesWithRole = prepared<Ids, { id: string }>((db, value, dialect) =>
  db
    .selectFrom('spaces')
    .select('spaces.id')
    .where(dialect.lists.isIn('spaces.id', value('ids')))
    .where('spaces.deletion_id', 'is', null)
    .where((eb) => eb.exists(roleIn(db, 'spaces.id', value('userId')))),
)

const basesWithRole = prepared<Ids, { id: string }>((db, value, dialect) =>
  db
    .selectFrom('bases')
    .innerJoin('spaces', 'spaces.id', 'bases.space_id')
    .select('bases.id')
    .where(dialect.lists.isIn('bases.id', value('ids')))
    .where('bases.deletion_id', 'is', null)
    .where('spaces.deletion_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb.exists(roleIn(db, 'bases.id', value('userId'))),
        eb.exists(roleIn(db, 'bases.space_id', value('userId'))),
      ]),
    ),
)

const livingSpaces = prepared<{ ids: readonly string[] }, { id: string }>((db, value, dialect) =>
  db
    .selectFrom('spaces')
    .select('spaces.id')
    .where(dialect.lists.isIn('spaces.id', value('ids')))
    .where('spaces.deletion_id', 'is', null),
)

const livingBases = prepared<{ ids: readonly string[] }, { id: string }>((db, value, dialect) =>
  db
    .selectFrom('bases')
    .innerJoin('spaces', 'spaces.id', 'bases.space_id')
    .select('bases.id')
    .where(dialect.lists.isIn('bases.id', value('ids')))
    .where('bases.deletion_id', 'is', null)
    .where('spaces.deletion_id', 'is', null),
)

export class SqlAccessRepository implements AccessRepository {
  readonly #session: SqlSession
  readonly #profiles: ProfilesRead

  constructor(session: SqlSession, profiles: ProfilesRead) {
    this.#session = session
    this.#profiles = profiles
  }

  async findSpace(id: string, userId: string, lock: Lock): Promise<SpaceAccess | undefined> {
    const row = await this.#firstHeld('spaces', lock, spaceQuery, { id, userId })
    return (
      row && {
        space: spaceColumns.toEntity(row),
        role: (row.space_role ?? undefined) as Role | undefined,
      }
    )
  }

  async findBase(id: string, userId: string, lock: Lock): Promise<BaseAccess | undefined> {
    const row = await this.#firstHeld('bases', lock, baseQuery, { id, userId })
    return row && { base: baseColumns.toEntity(row), role: toRole(row) }
  }

  async findTable(id: string, userId: string, lock: Lock): Promise<TableAccess | undefined> {
    const reading = this.#readTable(id, userId, lock)
    if (this.#session.connection.mayReadAhead) this.#profiles.expect(userId, reading)
    return reading
  }

  async #readTable(id: string, userId: string, lock: Lock): Promise<TableAccess | undefined> {
    const row = await this.#firstHeld('tables', lock, tableQuery, { id, userId })
    if (row && lock !== 'none') this.#session.connection.willHold?.(row.base_id)
    if (row) this.#noteProfile(userId, row)
    return row && toTableAccess(row)
  }

  async findSpaceOrTrash(
    id: string,
    userId: string,
    lock: Lock,
  ): Promise<MaybeDeleted<SpaceAccess>> {
    const row = await this.#firstHeld('spaces', lock, spaceOrTrashQuery, { id, userId })
    if (!row) return undefined
    const role = (row.space_role ?? undefined) as Role | undefined
    return { space: spaceColumns.toEntity(row), role, isDeleted: row.deletion_id !== null }
  }

  async findBaseOrTrash(id: string, userId: string, lock: Lock): Promise<MaybeDeleted<BaseAccess>> {
    const row = await this.#firstHeld('bases', lock, baseOrTrashQuery, { id, userId })
    if (!row) return undefined
    const isDeleted = row.deletion_id !== null || row.space_deletion_id !== null
    return { base: baseColumns.toEntity(row), role: toRole(row), isDeleted }
  }

  async findTableOrTrash(
    id: string,
    userId: string,
    lock: Lock,
  ): Promise<MaybeDeleted<TableAccess>> {
    const row = await this.#firstHeld('tables', lock, tableOrTrashQuery, { id, userId })
    return row && { ...toTableAccess(row), isDeleted: row.deletion_id !== null }
  }

  async placesWithRole(userId: string, { spaceIds, baseIds }: Places): Promise<Places> {
    const spaces = await this.#session.all(spacesWithRole, { ids: spaceIds, userId })
    const bases = await this.#session.all(basesWithRole, { ids: baseIds, userId })
    return { spaceIds: spaces.map(({ id }) => id), baseIds: bases.map(({ id }) => id) }
  }

  async livingPlaces({ spaceIds, baseIds }: Places): Promise<Places> {
    const spaces = await this.#session.all(livingSpaces, { ids: spaceIds })
    const bases = await this.#session.all(livingBases, { ids: baseIds })
    return { spaceIds: spaces.map(({ id }) => id), baseIds: bases.map(({ id }) => id) }
  }

  #noteProfile(userId: string, { user_name, user_email, user_avatar }: UserColumns): void {
    if (user_name === null || user_email === null) return
    const avatar = user_avatar ?? undefined
    this.#profiles.note(userId, { name: user_name, email: user_email, avatar })
  }

  /**
   * The first row of the query, which is sent behind what holds the row that the key names: the storage answers it once nobody
   * else holds that.
   */
  async #firstHeld<Row>(
    table: Held,
    lock: Lock,
    query: PreparedQuery<Key, Row>,
    key: Key,
  ): Promise<Row | undefined> {
    if (lock === 'none' || !this.#session.dialect.locks.holdsRows) {
      return this.#session.firstOften(query, key)
    }
    const holding = this.#session.all(holdQueries[`${table} ${lock}`], { id: key.id })
    return this.#session.firstOften(query, key, holding)
  }
}

/** What was made of rows, which a storage may answer again. */
const accessOf = new WeakMap<AccessedTableRow, TableAccess>()

function toTableAccess(row: AccessedTableRow): TableAccess {
  let access = accessOf.get(row)
  if (!access) {
    access = { base: toBase(row), table: tableColumns.toEntity(row), role: toRole(row) }
    accessOf.set(row, access)
  }
  return access
}
