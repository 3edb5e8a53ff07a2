import type { RangeEnd } from '@gateleg/domain/records/record-size-reader'
import type { PurgeRepository } from '@gateleg/domain/tables/purge-repository'
import type { Table } from '@gateleg/domain/tables/table'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import type { TableRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'
import { SqlRecordSizeReader } from '../records/sql-record-size-reader.ts'
import { toTable } from '../schemas/sql-table-repository.ts'
import { systemColumns } from '../schemas/system-columns.ts'

const nextTable = prepared<{ baseId: string }, TableRow>((db, value) =>
  db.selectFrom('tables').selectAll().where('base_id', '=', value('baseId')).orderBy('id').limit(1),
)

const nextBase = prepared<{ spaceId: string }, { id: string }>((db, value) =>
  db
    .selectFrom('bases')
    .select('id')
    .where('space_id', '=', value('spaceId'))
    .orderBy('id')
    .limit(1),
)

const removeCollaborators = prepared<{ id: string }, unknown>((db, value) =>
  db.deleteFrom('collaborators').where('resource_id', '=', value('id')),
)

const removeInvitations = prepared<{ id: string }, unknown>((db, value) =>
  db.deleteFrom('invitations').where('resource_id', '=', value('id')),
)

const removeBase = prepared<{ id: string }, unknown>((db, value) =>
  db.deleteFrom('bases').where('id', '=', value('id')),
)

const removeSpace = prepared<{ id: string }, unknown>((db, value) =>
  db.deleteFrom('spaces').where('id', '=', value('id')),
)

const removeAttachments = prepared<{ id: string }, unknown>((db, value) =>
  db.deleteFrom('attachments').where('space_id', '=', value('id')),
)

/** What hangs in a base beside its tables. */
const inBase = (['nodes', 'folders', 'dashboards', 'workflows'] as const).map((name) =>
  prepared<{ id: string }, unknown>((db, value) =>
    db.deleteFrom(name).where('base_id', '=', value('id')),
  ),
)

export class SqlPurgeRepository implements PurgeRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async removeBase(id: string): Promise<void> {
    await this.#session.run(removeCollaborators, { id })
    await this.#session.run(removeInvitations, { id })
    await this.#session.run(removeBase, { id })
  }

  async removeSpace(id: string): Promise<void> {
    await this.#session.run(removeCollaborators, { id })
    await this.#session.run(removeInvitations, { id })
    await this.#session.run(removeSpace, { id })
  }

  async nextTable(baseId: string): Promise<Table | undefined> {
    const row = await this.#session.first(nextTable, { baseId })
    return row && toTable(row)
  }

  async emptySome(
    { baseId, dbTableName }: Table,
    most: Pick<RangeEnd, 'records' | 'bytes'>,
  ): Promise<boolean> {
    const { tables } = this.#session.dialect
    if (!tables.dropsRowByRow) return false
    const table = { baseId, dbTableName }
    const sizes = new SqlRecordSizeReader(this.#session)
    const range = await sizes.nextRange(table, { ...most, after: 0, withDeleted: true })
    if (!range) return false
    const rows = tables.named(baseId, dbTableName)
    const number = sql.id(systemColumns.autoNumber.name)
    await this.#session.runOnce(sql`delete from ${rows} where ${number} <= ${range.until}`)
    return !range.isLast
  }

  async finishBase(id: string): Promise<void> {
    await this.#session.run(removeCollaborators, { id })
    await this.#session.run(removeInvitations, { id })
    for (const removal of inBase) await this.#session.run(removal, { id })
    const { tables } = this.#session.dialect
    for (const statement of tables.dropSchema(id)) await this.#session.define(statement)
  }

  async nextBaseId(spaceId: string): Promise<string | undefined> {
    return (await this.#session.first(nextBase, { spaceId }))?.id
  }

  async finishSpace(id: string): Promise<void> {
    await this.#session.run(removeAttachments, { id })
  }
}
