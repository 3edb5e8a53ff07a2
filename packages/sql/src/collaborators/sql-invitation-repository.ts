import type { Role } from '@gateleg/domain/access/roles'
import type { CollaboratorPlace } from '@gateleg/domain/collaborators/collaborator-repository'
import type { Invitation } from '@gateleg/domain/collaborators/invitation'
import type { InvitationRepository } from '@gateleg/domain/collaborators/invitation-repository'
import { prepared } from '../core/database.ts'
import type { InvitationRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

const find = prepared<{ tokenHash: string }, InvitationRow>((db, value) =>
  db.selectFrom('invitations').selectAll().where('token_hash', '=', value('tokenHash')),
)

const listOpen = prepared<{ resourceId: string; now: string }, InvitationRow>((db, value) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('resource_id', '=', value('resourceId'))
    .where('expires_time', '>', value('now'))
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
      .where(({ not }) => not(dialect.lists.isIn('email', value('emails')))),
)

const removeTo = prepared<Addresses, unknown>((db, value, dialect) =>
  db
    .deleteFrom('invitations')
    .where('resource_id', '=', value('resourceId'))
    .where(dialect.lists.isIn('email', value('emails'))),
)

const remove = prepared<{ tokenHash: string }, unknown>((db, value) =>
  db.deleteFrom('invitations').where('token_hash', '=', value('tokenHash')),
)

const removeOf = prepared<{ resourceId: string }, unknown>((db, value) =>
  db.deleteFrom('invitations').where('resource_id', '=', value('resourceId')),
)

const deleteExpired = prepared<{ before: string; most: number }, unknown>((db, value) =>
  db
    .deleteFrom('invitations')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('invitations')
        .select('token_hash')
        .where('expires_time', '<', value('before'))
        .orderBy('expires_time')
        .limit(value('most')),
    ),
)

function toInvitation(row: InvitationRow): Invitation {
  return {
    tokenHash: row.token_hash,
    id: row.id,
    resourceType: row.resource_type as Invitation['resourceType'],
    resourceId: row.resource_id,
    email: row.email,
    role: row.role as Role,
    createdBy: row.created_by,
    createdTime: row.created_time,
    expiresTime: row.expires_time,
  }
}

function toRow(invitation: Invitation): InvitationRow {
  return {
    token_hash: invitation.tokenHash,
    id: invitation.id,
    resource_type: invitation.resourceType,
    resource_id: invitation.resourceId,
    email: invitation.email,
    role: invitation.role,
    created_by: invitation.createdBy,
    created_time: invitation.createdTime,
    expires_time: invitation.expiresTime,
  }
}

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
    const rows = invitations.map(toRow)
    await this.#session.runOnce(this.#session.db.insertInto('invitations').values(rows))
  }

  async find(tokenHash: string): Promise<Invitation | undefined> {
    const row = await this.#session.first(find, { tokenHash })
    return row && toInvitation(row)
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
    return (await this.#session.all(listOpen, { resourceId, now })).map(toInvitation)
  }

  async delete(tokenHash: string): Promise<boolean> {
    return (await this.#session.run(remove, { tokenHash })) > 0
  }

  async deleteOf({ resourceId }: CollaboratorPlace): Promise<void> {
    await this.#session.run(removeOf, { resourceId })
  }

  async deleteExpired(before: string, most: number): Promise<number> {
    return this.#session.run(deleteExpired, { before, most })
  }
}
