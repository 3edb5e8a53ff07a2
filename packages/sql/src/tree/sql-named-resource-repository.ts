import type { Deletion } from '@gateleg/domain/trash/deletion'
import type {
  NamedResource,
  NamedResourceRepository,
} from '@gateleg/domain/tree/named-resource-repository'
import { prepared } from '../core/database.ts'
import { markDeletedIn } from '../core/deletion-mark.ts'
import type { DeletionColumns, NamedResourceRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

type LivingRow = Omit<NamedResourceRow, keyof DeletionColumns>

/** The queries on one of the tables that hold named resources. */
function queriesOn(table: 'dashboards' | 'workflows') {
  return {
    find: prepared<{ id: string }, NamedResourceRow>((db, value) =>
      db
        .selectFrom(table)
        .selectAll()
        .where('id', '=', value('id'))
        .where('deletion_id', 'is', null),
    ),
    listNames: prepared<{ baseId: string }, { name: string }>((db, value) =>
      db
        .selectFrom(table)
        .select('name')
        .where('base_id', '=', value('baseId'))
        .where('deletion_id', 'is', null),
    ),
    insert: prepared<LivingRow, unknown>((db, value) =>
      db.insertInto(table).values({
        id: value('id'),
        base_id: value('base_id'),
        name: value('name'),
        created_by: value('created_by'),
        created_time: value('created_time'),
        version: value('version'),
      } as never),
    ),
    rename: prepared<{ id: string; name: string }, unknown>((db, value) =>
      db
        .updateTable(table)
        .set((eb) => ({ name: value('name'), version: eb('version', '+', 1) }))
        .where('id', '=', value('id')),
    ),
    markDeleted: markDeletedIn(table),
    remove: prepared<{ id: string }, unknown>((db, value) =>
      db.deleteFrom(table).where('id', '=', value('id')),
    ),
  }
}

const queriesByTable = { dashboards: queriesOn('dashboards'), workflows: queriesOn('workflows') }

export class SqlNamedResourceRepository implements NamedResourceRepository {
  readonly #session: SqlSession
  readonly #queries: ReturnType<typeof queriesOn>

  constructor(session: SqlSession, table: keyof typeof queriesByTable) {
    this.#session = session
    this.#queries = queriesByTable[table]
  }

  async find(id: string): Promise<NamedResource | undefined> {
    const row = await this.#session.first(this.#queries.find, { id })
    return (
      row && {
        id: row.id,
        baseId: row.base_id,
        name: row.name,
        createdBy: row.created_by,
        createdTime: row.created_time,
        version: row.version,
      }
    )
  }

  async listNames(baseId: string): Promise<readonly string[]> {
    return (await this.#session.all(this.#queries.listNames, { baseId })).map(({ name }) => name)
  }

  async insert(resource: NamedResource): Promise<void> {
    await this.#session.run(this.#queries.insert, {
      id: resource.id,
      base_id: resource.baseId,
      name: resource.name,
      created_by: resource.createdBy,
      created_time: resource.createdTime,
      version: resource.version,
    })
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#session.run(this.#queries.rename, { id, name })
  }

  async markDeleted(id: string, deletion: Deletion): Promise<void> {
    await this.#session.run(this.#queries.markDeleted, { ids: [id], ...deletion })
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(this.#queries.remove, { id })
  }
}
