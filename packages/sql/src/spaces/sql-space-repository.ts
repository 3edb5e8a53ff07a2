import type { Role } from '@gateleg/domain/access/roles'
import { limits } from '@gateleg/domain/limits'
import type { Space } from '@gateleg/domain/spaces/space'
import type {
  SoleSpace,
  SpaceRepository,
  SpaceWithRole,
} from '@gateleg/domain/spaces/space-repository'
import type { Deletion } from '@gateleg/domain/trash/deletion'
import { prepared } from '../core/database.ts'
import { markDeletedIn, restoreIn } from '../core/own-tables/deletion-mark.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type SpaceRow, spaceColumns } from '../metadata/tables/space-table.ts'
import { holdOwned, ownedAlone, sharedByBase, sharedThemselves } from './owned-alone.ts'

type Listed = SpaceRow & { role: string }

const listOf = prepared<{ userId: string; most: number }, Listed>((db, value) =>
  db
    .selectFrom(
      db
        .selectFrom('spaces')
        .innerJoin('collaborators', 'collaborators.resource_id', 'spaces.id')
        .selectAll('spaces')
        .select('collaborators.role')
        .where('collaborators.user_id', '=', value('userId'))
        .where('spaces.deletion_id', 'is', null)
        .orderBy(({ eb }) =>
          eb.case().when('spaces.created_by', '=', value('userId')).then(0).else(1).end(),
        )
        .orderBy('spaces.created_time')
        .orderBy('spaces.id')
        .limit(value('most'))
        .as('spaces'),
    )
    .selectAll()
    .orderBy('created_time')
    .orderBy('id'),
)

const insert = insertInto('spaces', spaceColumns)

const rename = prepared<{ id: string; name: string }, SpaceRow>((db, value) =>
  db
    .updateTable('spaces')
    .set((eb) => ({ name: value('name'), version: eb('version', '+', 1) }))
    .where('id', '=', value('id'))
    .returningAll(),
)

const markDeleted = markDeletedIn('spaces')

const restore = restoreIn('spaces')

export class SqlSpaceRepository implements SpaceRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOf(userId: string): Promise<readonly SpaceWithRole[]> {
    const rows = await this.#session.all(listOf, { userId, most: limits.spacesPerList })
    return rows.map((row) => ({ space: spaceColumns.toEntity(row), role: row.role as Role }))
  }

  async listOwnedAlone(userId: string, most: number): Promise<readonly SoleSpace[]> {
    const owned = await this.#session.all(holdOwned, { userId })
    if (owned.length === 0) return []
    const asked = { ids: owned.map(({ id }) => id), userId }
    const alone = await this.#session.all(ownedAlone, { ...asked, most })
    const shared = [sharedThemselves, sharedByBase].map((query) => this.#session.all(query, asked))
    const sharedIds = new Set((await Promise.all(shared)).flat().map(({ id }) => id))
    return alone.map(({ id, name, deletion_id }) => ({
      space: { id, name },
      isDeleted: deletion_id !== null,
      isShared: sharedIds.has(id),
    }))
  }

  async insert(space: Space): Promise<void> {
    await this.#session.run(insert, spaceColumns.toRow(space))
  }

  async rename(id: string, name: string): Promise<Space> {
    return spaceColumns.toEntity(await this.#session.one(rename, { id, name }))
  }

  async restore(id: string): Promise<void> {
    await this.#session.run(restore, { ids: [id] })
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(markDeleted, { ids: [id], ...deletion })
  }
}
