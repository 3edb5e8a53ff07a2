import type { Role } from '@gateleg/domain/access/roles'
import type { Space } from '@gateleg/domain/spaces/space'
import type { SpaceRepository, SpaceWithRole } from '@gateleg/domain/spaces/space-repository'
import type { Deletion } from '@gateleg/domain/trash/deletion'
import { prepared } from '../core/database.ts'
import { markDeletedIn } from '../core/deletion-mark.ts'
import type { SpaceRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

const listOf = prepared<{ userId: string }, SpaceRow & { role: string }>((db, value) =>
  db
    .selectFrom('spaces')
    .innerJoin('collaborators', 'collaborators.resource_id', 'spaces.id')
    .selectAll('spaces')
    .select('collaborators.role')
    .where('collaborators.user_id', '=', value('userId'))
    .where('spaces.deletion_id', 'is', null)
    .orderBy('spaces.created_time')
    .orderBy('spaces.id'),
)

const insert = prepared<Omit<SpaceRow, 'deletion_id' | 'deleted_time' | 'deleted_by'>, unknown>(
  (db, value) =>
    db.insertInto('spaces').values({
      id: value('id'),
      name: value('name'),
      created_by: value('created_by'),
      created_time: value('created_time'),
      version: value('version'),
    } as never),
)

const rename = prepared<{ id: string; name: string }, SpaceRow>((db, value) =>
  db
    .updateTable('spaces')
    .set((eb) => ({ name: value('name'), version: eb('version', '+', 1) }))
    .where('id', '=', value('id'))
    .returningAll(),
)

const markDeleted = markDeletedIn('spaces')

/** A row of `spaces` as the domain knows it. */
export function toSpace(row: SpaceRow): Space {
  return {
    id: row.id,
    name: row.name,
    createdBy: row.created_by,
    createdTime: row.created_time,
    version: row.version,
  }
}

export class SqlSpaceRepository implements SpaceRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOf(userId: string): Promise<readonly SpaceWithRole[]> {
    const rows = await this.#session.all(listOf, { userId })
    return rows.map((row) => ({ space: toSpace(row), role: row.role as Role }))
  }

  async insert(space: Space): Promise<void> {
    await this.#session.run(insert, {
      id: space.id,
      name: space.name,
      created_by: space.createdBy,
      created_time: space.createdTime,
      version: space.version,
    })
  }

  async rename(id: string, name: string): Promise<Space> {
    return toSpace(await this.#session.one(rename, { id, name }))
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }
}
