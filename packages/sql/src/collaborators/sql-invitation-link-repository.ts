import type { Role } from '@gateleg/domain/access/roles'
import type { CollaboratorPlace } from '@gateleg/domain/collaborators/collaborator-repository'
import type { InvitationLink } from '@gateleg/domain/invitation-links/invitation-link'
import type { InvitationLinkRepository } from '@gateleg/domain/invitation-links/invitation-link-repository'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom, deleteFrom } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import {
  type InvitationLinkRow,
  invitationLinkColumns,
} from '../metadata/tables/invitation-link-table.ts'
import { hasLivingMaker } from './has-living-maker.ts'
import { removeOfPlace } from './remove-of-place.ts'

const findBy = findById('invitation_links')

const insert = insertInto('invitation_links', invitationLinkColumns)

const listOpen = prepared<{ resourceId: string; now: string }, InvitationLinkRow>((db, value) =>
  db
    .selectFrom('invitation_links')
    .selectAll()
    .where('resource_id', '=', value('resourceId'))
    .where('expires_time', '>', value('now'))
    .where(hasLivingMaker(db, 'invitation_links'))
    .orderBy('created_time')
    .orderBy('id'),
)

const changeRole = prepared<{ id: string; role: Role }, unknown>((db, value) =>
  db
    .updateTable('invitation_links')
    .set({ role: value('role') })
    .where('id', '=', value('id')),
)

const countJoining = prepared<{ id: string; role: Role }, unknown>((db, value) =>
  db
    .updateTable('invitation_links')
    .set(({ eb }) => ({ joined: eb('joined', '+', 1) }))
    .where('id', '=', value('id'))
    .where('role', '=', value('role')),
)

const remove = deleteFrom('invitation_links', 'id')

const removeOf = removeOfPlace('invitation_links')

const deleteExpired = deleteExpiredFrom('invitation_links')

export class SqlInvitationLinkRepository implements InvitationLinkRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string): Promise<InvitationLink | undefined> {
    const row = await this.#session.first(findBy.none, { id })
    return row && invitationLinkColumns.toEntity(row)
  }

  async listOpen(
    { resourceId }: CollaboratorPlace,
    now: string,
  ): Promise<readonly InvitationLink[]> {
    const rows = await this.#session.all(listOpen, { resourceId, now })
    return rows.map(invitationLinkColumns.toEntity)
  }

  async insert(link: InvitationLink): Promise<void> {
    await this.#session.run(insert, invitationLinkColumns.toRow(link))
  }

  async changeRole(id: string, role: Role): Promise<boolean> {
    return (await this.#session.run(changeRole, { id, role })) > 0
  }

  async countJoining(id: string, role: Role): Promise<boolean> {
    return (await this.#session.run(countJoining, { id, role })) > 0
  }

  async delete(id: string): Promise<boolean> {
    return (await this.#session.run(remove, { id })) > 0
  }

  async deleteOf({ resourceId }: CollaboratorPlace): Promise<void> {
    await this.#session.run(removeOf, { id: resourceId })
  }

  async deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(deleteExpired, { before, most })
  }
}
