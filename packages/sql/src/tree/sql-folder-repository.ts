import type { Folder, FolderRepository } from '@gateleg/domain/tree/folder-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { folderColumns } from '../metadata/tables/folder-table.ts'

const listNames = prepared<{ baseId: string }, { name: string }>((db, value) =>
  db.selectFrom('folders').select('name').where('base_id', '=', value('baseId')),
)

const insert = insertInto('folders', folderColumns)

const rename = prepared<{ id: string; name: string }, unknown>((db, value) =>
  db
    .updateTable('folders')
    .set({ name: value('name') })
    .where('id', '=', value('id')),
)

const remove = deleteFrom('folders', 'id')

export class SqlFolderRepository implements FolderRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listNames(baseId: string): Promise<readonly string[]> {
    return (await this.#session.all(listNames, { baseId })).map(({ name }) => name)
  }

  async insert(folder: Folder): Promise<void> {
    await this.#session.run(insert, folderColumns.toRow(folder))
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#session.run(rename, { id, name })
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }
}
