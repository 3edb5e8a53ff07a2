import type { Deletion } from '@gateleg/domain/trash/deletion'
import type {
  NamedResource,
  NamedResourceRepository,
} from '@gateleg/domain/tree/named-resource-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/delete-rows.ts'
import { markDeletedIn, restoreIn } from '../core/deletion-mark.ts'
import { insertInto } from '../core/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type NamedResourceRow, namedResourceColumns } from './named-resource-table.ts'

const queries = {
  find: prepared<{ id: string }, NamedResourceRow>((db, value) =>
    db
      .selectFrom('workflows')
      .selectAll()
      .where('id', '=', value('id'))
      .where('deletion_id', 'is', null),
  ),
  listNames: prepared<{ baseId: string }, { name: string }>((db, value) =>
    db
      .selectFrom('workflows')
      .select('name')
      .where('base_id', '=', value('baseId'))
      .where('deletion_id', 'is', null),
  ),
  insert: insertInto('workflows', namedResourceColumns),
  rename: prepared<{ id: string; name: string }, unknown>((db, value) =>
    db
      .updateTable('workflows')
      .set((eb) => ({ name: value('name'), version: eb('version', '+', 1) }))
      .where('id', '=', value('id')),
  ),
  markDeleted: markDeletedIn('workflows'),
  restore: restoreIn('workflows'),
  remove: deleteFrom('workflows', 'id'),
}

export class SqlNamedResourceRepository implements NamedResourceRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string): Promise<NamedResource | undefined> {
    const row = await this.#session.first(queries.find, { id })
    return row && namedResourceColumns.toEntity(row)
  }

  async listNames(baseId: string): Promise<readonly string[]> {
    return (await this.#session.all(queries.listNames, { baseId })).map(({ name }) => name)
  }

  async insert(resource: NamedResource): Promise<void> {
    await this.#session.run(queries.insert, namedResourceColumns.toRow(resource))
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#session.run(queries.rename, { id, name })
  }

  async restore(id: string): Promise<void> {
    await this.#session.run(queries.restore, { ids: [id] })
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(queries.markDeleted, { ids: [id], ...deletion })
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(queries.remove, { id })
  }
}
