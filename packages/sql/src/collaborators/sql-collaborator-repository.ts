import type { Role } from '@gateleg/domain/access/roles'
import type { Collaborator } from '@gateleg/domain/collaborators/collaborator'
import type {
  CollaboratorPlace,
  CollaboratorRepository,
  CollaboratorWithUser,
} from '@gateleg/domain/collaborators/collaborator-repository'
import { DomainError } from '@gateleg/domain/errors'
import { isUniqueFailure } from '../core/connection.ts'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type CollaboratorRow, collaboratorColumns } from '../metadata/tables/collaborator-table.ts'

type Key = { resourceId: string; userId: string }

const find = prepared<Key, CollaboratorRow>((db, value) =>
  db
    .selectFrom('collaborators')
    .selectAll()
    .where('resource_id', '=', value('resourceId'))
    .where('user_id', '=', value('userId')),
)

const countRole = prepared<{ resourceId: string; role: Role }, { count: number | string }>(
  (db, value) =>
    db
      .selectFrom('collaborators')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('resource_id', '=', value('resourceId'))
      .where('role', '=', value('role')),
)

type InPlaces = { userIds: readonly string[]; atLeast: number }

const usersInSpacesOfOthers = prepared<InPlaces, { user_id: string }>((db, value, dialect) =>
  db
    .selectFrom('collaborators')
    .innerJoin('spaces', 'spaces.id', 'collaborators.resource_id')
    .select('collaborators.user_id')
    .where(dialect.lists.isIn('collaborators.user_id', value('userIds')))
    .where('spaces.deletion_id', 'is', null)
    .whereRef('spaces.created_by', '!=', 'collaborators.user_id')
    .groupBy('collaborators.user_id')
    .having(({ fn }) => fn.countAll(), '>=', value('atLeast')),
)

const usersInBasesOfOthers = prepared<InPlaces, { user_id: string }>((db, value, dialect) =>
  db
    .selectFrom('collaborators')
    .innerJoin('bases', 'bases.id', 'collaborators.resource_id')
    .innerJoin('spaces', 'spaces.id', 'bases.space_id')
    .select('collaborators.user_id')
    .where(dialect.lists.isIn('collaborators.user_id', value('userIds')))
    .where('bases.deletion_id', 'is', null)
    .where('spaces.deletion_id', 'is', null)
    .whereRef('bases.created_by', '!=', 'collaborators.user_id')
    .groupBy('collaborators.user_id')
    .having(({ fn }) => fn.countAll(), '>=', value('atLeast')),
)

const insert = insertInto('collaborators', collaboratorColumns)

const list = prepared<{ resourceIds: readonly string[] }, CollaboratorRow & UserColumns>(
  (db, value, dialect) =>
    db
      .selectFrom('collaborators')
      .innerJoin('users', 'users.id', 'collaborators.user_id')
      .selectAll('collaborators')
      .select(['users.name as user_name', 'users.email', 'users.avatar'])
      .where(dialect.lists.isIn('collaborators.resource_id', value('resourceIds')))
      .orderBy('collaborators.created_time')
      .orderBy('collaborators.user_id')
      .orderBy('collaborators.resource_id'),
)

interface UserColumns {
  user_name: string
  email: string
  avatar: string | null
}

const changeRole = prepared<Key & { role: Role }, unknown>((db, value) =>
  db
    .updateTable('collaborators')
    .set({ role: value('role') })
    .where('resource_id', '=', value('resourceId'))
    .where('user_id', '=', value('userId')),
)

const remove = prepared<Key, unknown>((db, value) =>
  db
    .deleteFrom('collaborators')
    .where('resource_id', '=', value('resourceId'))
    .where('user_id', '=', value('userId')),
)

const remember = prepared<{ userId: string }, unknown>((db, value) =>
  db
    .insertInto('former_roles')
    .columns(['user_id', 'resource_id'])
    .expression((eb) =>
      eb
        .selectFrom('collaborators')
        .select(['user_id', 'resource_id'])
        .where('user_id', '=', value('userId')),
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const removeOfUser = deleteFrom('collaborators', 'user_id')
const forgetPlaces = deleteFrom('former_roles', 'user_id')

async function refuseTwice(insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert()
  } catch (error) {
    if (!isUniqueFailure(error)) throw error
    throw new DomainError('conflict', 'This user is a collaborator there already')
  }
}

export class SqlCollaboratorRepository implements CollaboratorRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find({ resourceId }: CollaboratorPlace, userId: string) {
    const row = await this.#session.first(find, { resourceId, userId })
    return row && collaboratorColumns.toEntity(row)
  }

  async countRole({ resourceId }: CollaboratorPlace, role: Role): Promise<number> {
    return Number((await this.#session.one(countRole, { resourceId, role })).count)
  }

  async usersInPlacesOfOthers(
    type: Collaborator['resourceType'],
    userIds: readonly string[],
    atLeast: number,
  ): Promise<readonly string[]> {
    const query = type === 'space' ? usersInSpacesOfOthers : usersInBasesOfOthers
    const rows = await this.#session.all(query, { userIds, atLeast })
    return rows.map((row) => row.user_id)
  }

  async list(places: readonly CollaboratorPlace[]): Promise<readonly CollaboratorWithUser[]> {
    const resourceIds = places.map(({ resourceId }) => resourceId)
    const rows = await this.#session.all(list, { resourceIds })
    return rows.map((row) => ({
      ...collaboratorColumns.toEntity(row),
      userName: row.user_name,
      email: row.email,
      avatar: row.avatar ?? undefined,
    }))
  }

  async insert(collaborator: Collaborator): Promise<void> {
    await refuseTwice(() => this.#session.run(insert, collaboratorColumns.toRow(collaborator)))
  }

  async insertAll(collaborators: readonly Collaborator[]): Promise<void> {
    const rows = collaborators.map((one) => collaboratorColumns.toRow(one))
    const statement = this.#session.db.insertInto('collaborators').values(rows)
    await refuseTwice(() => this.#session.runOnce(statement))
  }

  async holdCount(spaceId: string): Promise<void> {
    const { dialect, connection } = this.#session
    await dialect.locks.claim(connection, `people ${spaceId}`)
  }

  async changeRole({ resourceId }: CollaboratorPlace, userId: string, role: Role): Promise<void> {
    await this.#session.run(changeRole, { resourceId, userId, role })
  }

  async delete({ resourceId }: CollaboratorPlace, userId: string): Promise<void> {
    await this.#session.run(remove, { resourceId, userId })
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.#session.run(remember, { userId })
    await this.#session.run(removeOfUser, { id: userId })
  }

  async forgetPlacesOf(userId: string): Promise<void> {
    await this.#session.run(forgetPlaces, { id: userId })
  }
}
