import { DomainError } from '@gateleg/domain/errors'
import type { Identity, LinkedIdentity, Voucher } from '@gateleg/domain/identities/identity'
import type { IdentityRepository } from '@gateleg/domain/identities/identity-repository'
import { isUniqueFailure } from '../core/connection.ts'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { insertInto } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type IdentityRow, identityColumns } from '../metadata/tables/identity-table.ts'

type Named = Voucher & { readonly subject: string }

const find = prepared<Named, IdentityRow>((db, value) =>
  db
    .selectFrom('identities')
    .selectAll()
    .where('provider_id', '=', value('providerId'))
    .where('authority', '=', value('authority'))
    .where('subject', '=', value('subject')),
)

interface LinkedRow extends IdentityRow {
  readonly provider_name: string
  readonly provider_config: string
  readonly space_deletion_id: string | null
}

const listOf = prepared<{ userId: string }, LinkedRow>((db, value) =>
  db
    .selectFrom('identities')
    .innerJoin('login_providers', 'login_providers.id', 'identities.provider_id')
    .innerJoin('spaces', 'spaces.id', 'login_providers.space_id')
    .selectAll('identities')
    .select(['login_providers.name as provider_name', 'login_providers.config as provider_config'])
    .select('spaces.deletion_id as space_deletion_id')
    .where('identities.user_id', '=', value('userId'))
    .orderBy('identities.created_time')
    .orderBy('identities.id'),
)

const insert = insertInto('identities', identityColumns)

const remove = deleteFrom('identities', 'id')

const removeOfUser = deleteFrom('identities', 'user_id')

const removeOfProvider = deleteFrom('identities', 'provider_id')

export class SqlIdentityRepository implements IdentityRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(named: Named): Promise<Identity | undefined> {
    const { providerId, authority, subject } = named
    const row = await this.#session.first(find, { providerId, authority, subject })
    return row && identityColumns.toEntity(row)
  }

  async listOf(userId: string): Promise<readonly LinkedIdentity[]> {
    const rows = await this.#session.all(listOf, { userId })
    return rows.map(({ provider_name: name, provider_config, space_deletion_id, ...row }) => ({
      ...identityColumns.toEntity(row),
      provider: {
        ...{ name, config: JSON.parse(provider_config) },
        isInTrash: space_deletion_id !== null,
      },
    }))
  }

  async insert(identity: Identity): Promise<void> {
    try {
      await this.#session.run(insert, identityColumns.toRow(identity))
    } catch (error) {
      if (!isUniqueFailure(error)) throw error
      throw new DomainError('conflict', 'This identity was linked to an account meanwhile')
    }
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.#session.run(removeOfUser, { id: userId })
  }

  async deleteOfProvider(providerId: string): Promise<void> {
    await this.#session.run(removeOfProvider, { id: providerId })
  }
}
