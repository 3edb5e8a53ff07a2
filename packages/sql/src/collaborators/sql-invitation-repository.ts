import type { CollaboratorPlace } from '@gateleg/domain/collaborators/collaborator-repository'
import type { Invitation } from '@gateleg/domain/collaborators/invitations/invitation'
import type { InvitationRepository } from '@gateleg/domain/collaborators/invitations/invitation-repository'
import { prepared } from '../core/database.ts'
import { deleteExpiredFrom, deleteFrom } from '../core/own-tables/delete-rows.ts'
import type { SqlSession } from '../core/session.ts'
import { type InvitationRow, invitationColumns } from '../metadata/tables/invitation-table.ts'
import { hasLivingMaker } from './has-living-maker.ts'
import { removeOfPlace } from './remove-of-place.ts'

const find = prepared<{ tokenHash: string }, InvitationRow>((db, value) =>
  db.selectFrom('invitations').selectAll().where('token_hash', '=', value('tokenHash')),
)

const listOpen = prepared<{ resourceId: string; now: string }, InvitationRow>((db, value) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('resource_id', '=', value('resourceId'))
    .where('expires_time', '>', value('now'))
    .where(hasLivingMaker(db, 'invitations'))
    .orderBy('created_time')
    .orderBy('id'),
)

type Addresses = { resourceId: string; emails: readonly string[] }

const countOpen = prepared<Addresses & { now: string }, { count: number | string }>(
  (db, value, dialect) =>
    db
      .selectFrom('invitations')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('resource_id', '=', value('resourceId'))
      .where('expires_time', '>', value('now'))
      .where(hasLivingMaker(db, 'invitations'))
      .where(({ not }) => not(dialect.lists.isIn('email', value('emails')))),
)

const removeTo = prepared<Addresses, unknown>((db, value, dialect) =>
  db
    .deleteFrom('invitations')
    .where('resource_id', '=', value('resourceId'))
    .where(dialect.lists.isIn('email', value('emails'))),
)

const remove = deleteFrom('invitations', 'token_hash')

const removeOf = removeOfPlace('invitations')

const deleteExpired = deleteExpiredFrom('invitations')

export class SqlInvitationRepository implements InvitationRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async replaceAll(invitations: readonly Invitation[]): Promise<void> {
    if (invitations.length === 0) return
    for (const [resourceId, ofPlace] of Map.groupBy(invitations, (one) => one.resourceId)) {
      await this.#session.run(removeTo, { resourceId, emails: ofPlace.map(({ email }) => email) })
    }
    const rows = invitations.map((one) => invitationColumns.toRow(one))
    await this.#session.runOnce(this.#session.db.insertInto('invitations').values(rows))
  }

  async find(tokenHash: string): Promise<Invitation | undefined> {
    const row = await this.#session.first(find, { tokenHash })
    return row && invitationColumns.toEntity(row)
  }

  async countOpen(
    { resourceId }: CollaboratorPlace,
    now: string,
    leftOut: readonly string[],
  ): Promise<number> {
    const key = { resourceId, now, emails: leftOut }
    return Number((await this.#session.one(countOpen, key)).count)
  }

  async listOpen({ resourceId }: CollaboratorPlace, now: string): Promise<readonly Invitation[]> {
    return (await this.#session.all(listOpen, { resourceId, now })).map((row) =>
      invitationColumns.toEntity(row),
    )
  }

  async delete(tokenHash: string): Promise<boolean> {
    return (await this.#session.run(remove, { id: tokenHash })) > 0
  }

  async deleteOf({ resourceId }: CollaboratorPlace): Promise<void> {
    await this.#session.run(removeOf, { id: resourceId })
  }

  async deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(deleteExpired, { before, most })
  }
}
