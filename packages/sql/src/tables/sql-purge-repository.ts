import type { RangeEnd } from '@gateleg/domain/records/reading/record-size-reader'
import type { PurgeRepository } from '@gateleg/domain/tables/purge-repository'
import { physicalNameOf, type Table } from '@gateleg/domain/tables/table'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import type { SqlSession } from '../core/session.ts'
import { type TableRow, tableColumns } from '../metadata/tables/table-table.ts'
import { keptByUsers, keptByUsersInBase } from '../pins/kept-by-users.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { SqlRecordSizeReader } from '../records/sql-record-size-reader.ts'

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

const removeCollaborators = deleteFrom('collaborators', 'resource_id')
const removeInvitations = deleteFrom('invitations', 'resource_id')
const removeInvitationLinks = deleteFrom('invitation_links', 'resource_id')
const removeTrashOf = deleteFrom('trash_entries', 'place_id')
const removeEntryOf = (table: 'bases' | 'spaces') =>
  prepared<{ id: string }, unknown>((db, value) =>
    db
      .deleteFrom('trash_entries')
      .where('id', 'in', db.selectFrom(table).select('deletion_id').where('id', '=', value('id'))),
  )
const removeEntryOfBase = removeEntryOf('bases')
const removeEntryOfSpace = removeEntryOf('spaces')
const removeBase = deleteFrom('bases', 'id')
const removeSpace = deleteFrom('spaces', 'id')
const removeLoginProviders = deleteFrom('login_providers', 'space_id')
const removeIdentities = deleteFrom('identities', 'space_id')

/** What hangs in a base beside its tables. */
const inBase = (['nodes', 'folders', 'dashboards', 'workflows', 'plugin_installs'] as const).map(
  (name) => deleteFrom(name, 'base_id'),
)

export class SqlPurgeRepository implements PurgeRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async removeBase(id: string): Promise<void> {
    await this.#session.run(removeCollaborators, { id })
    await this.#session.run(removeInvitations, { id })
    await this.#session.run(removeInvitationLinks, { id })
    await this.#session.run(removeTrashOf, { id })
    await this.#session.run(removeEntryOfBase, { id })
    for (const removal of keptByUsers) await this.#session.run(removal, { id })
    await this.#session.run(removeBase, { id })
  }

  async removeSpace(id: string): Promise<void> {
    await this.#session.run(removeCollaborators, { id })
    await this.#session.run(removeInvitations, { id })
    await this.#session.run(removeInvitationLinks, { id })
    await this.#session.run(removeTrashOf, { id })
    await this.#session.run(removeEntryOfSpace, { id })
    // Who signs in holds the provider: what they have linked to it is there to be removed then.
    await this.#session.run(removeLoginProviders, { id })
    await this.#session.run(removeIdentities, { id })
    for (const removal of keptByUsers) await this.#session.run(removal, { id })
    await this.#session.run(removeSpace, { id })
  }

  async nextTable(baseId: string): Promise<Table | undefined> {
    const row = await this.#session.first(nextTable, { baseId })
    return row && tableColumns.toEntity(row)
  }

  async emptySome(purged: Table, most: Pick<RangeEnd, 'records' | 'bytes'>): Promise<boolean> {
    const { tables } = this.#session.dialect
    if (!tables.dropsRowByRow) return false
    const { baseId } = purged
    const physicalName = physicalNameOf(purged)
    const table = { baseId, physicalName }
    const sizes = new SqlRecordSizeReader(this.#session)
    const range = await sizes.nextRange(table, { ...most, after: 0, withDeleted: true })
    if (!range) return false
    const rows = tables.named(baseId, physicalName)
    const number = sql.id(systemColumns.autoNumber.name)
    await this.#session.runOnce(sql`delete from ${rows} where ${number} <= ${range.until}`)
    return !range.isLast
  }

  async finishBase(id: string): Promise<void> {
    await this.#session.run(removeCollaborators, { id })
    await this.#session.run(removeInvitations, { id })
    await this.#session.run(removeInvitationLinks, { id })
    for (const removal of [...inBase, ...keptByUsersInBase])
      await this.#session.run(removal, { id })
    const { tables } = this.#session.dialect
    for (const statement of tables.dropSchema(id)) await this.#session.define(statement)
  }

  async nextBaseId(spaceId: string): Promise<string | undefined> {
    return (await this.#session.first(nextBase, { spaceId }))?.id
  }
}
