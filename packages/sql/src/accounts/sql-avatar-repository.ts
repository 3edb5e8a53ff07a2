import type {
  AvatarRepository,
  StoredAvatar,
} from '@gateleg/domain/accounts/users/avatar-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type AvatarRow, avatarColumns } from '../metadata/tables/avatar-table.ts'

const find = prepared<{ id: string }, AvatarRow>((db, value) =>
  db.selectFrom('avatars').selectAll().where('id', '=', value('id')),
)

const knownPaths = prepared<{ paths: readonly string[] }, { path: string }>((db, value, dialect) =>
  db
    .selectFrom('avatars')
    .select('path')
    .where(dialect.lists.isIn('path', value('paths'))),
)

const insert = insertInto('avatars', avatarColumns)

const deleteOfUser = deleteFrom('avatars', 'user_id')

export class SqlAvatarRepository implements AvatarRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string): Promise<StoredAvatar | undefined> {
    const row = await this.#session.first(find, { id })
    return row && avatarColumns.toEntity(row)
  }

  async knownPaths(paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return []
    return (await this.#session.all(knownPaths, { paths })).map(({ path }) => path)
  }

  async replace(avatar: StoredAvatar): Promise<void> {
    await this.deleteOfUser(avatar.userId)
    await this.#session.run(insert, avatarColumns.toRow(avatar))
  }

  async deleteOfUser(userId: string): Promise<boolean> {
    return (await this.#session.run(deleteOfUser, { id: userId })) > 0
  }
}
