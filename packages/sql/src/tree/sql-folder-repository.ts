import type { Folder, FolderRepository } from '@gateleg/domain/tree/folder-repository'
import { prepared } from '../core/database.ts'
import type { FolderRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

const listNames = prepared<{ baseId: string }, { name: string }>((db, value) =>
  db.selectFrom('folders').select('name').where('base_id', '=', value('baseId')),
)

const insert = prepared<FolderRow, unknown>((db, value) =>
  db
    .insertInto('folders')
    .values({ id: value('id'), base_id: value('base_id'), name: value('name') }),
)

const rename = prepared<{ id: string; name: string }, unknown>((db, value) =>
  db
    .updateTable('folders')
    .set({ name: value('name') })
    .where('id', '=', value('id')),
)

const remove = prepared<{ id: string }, unknown>((db, value) =>
  db.deleteFrom('folders').where('id', '=', value('id')),
)

export class SqlFolderRepository implements FolderRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listNames(baseId: string): Promise<readonly string[]> {
    return (await this.#session.all(listNames, { baseId })).map(({ name }) => name)
  }

  async insert({ id, baseId, name }: Folder): Promise<void> {
    await this.#session.run(insert, { id, base_id: baseId, name })
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#session.run(rename, { id, name })
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }
}
