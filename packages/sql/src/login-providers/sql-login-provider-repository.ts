import type { Lock } from '@gateleg/domain/access/lock'
import type { LoginProvider } from '@gateleg/domain/login-providers/login-provider'
import type { LoginProviderRepository } from '@gateleg/domain/login-providers/login-provider-repository'
import { prepared } from '../core/database.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertInto, valuesOf } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import {
  type LoginProviderRow,
  loginProviderColumns,
} from '../metadata/tables/login-provider-table.ts'

const findBy = findById('login_providers')

/** Of spaces that are not in the trash. */
const livingBy = (column: 'login_providers.id' | 'login_providers.space_id') =>
  prepared<{ id: string }, LoginProviderRow>((db, value) =>
    db
      .selectFrom('login_providers')
      .innerJoin('spaces', 'spaces.id', 'login_providers.space_id')
      .selectAll('login_providers')
      .where(column, '=', value('id'))
      .where('spaces.deletion_id', 'is', null)
      .orderBy('login_providers.created_time')
      .orderBy('login_providers.id'),
  )
const livingById = livingBy('login_providers.id')
const livingOfSpace = livingBy('login_providers.space_id')

const listOf = prepared<{ spaceId: string }, LoginProviderRow>((db, value) =>
  db
    .selectFrom('login_providers')
    .selectAll()
    .where('space_id', '=', value('spaceId'))
    .orderBy('created_time')
    .orderBy('id'),
)

const insert = insertInto('login_providers', loginProviderColumns)

const changing = loginProviderColumns.except('id', 'space_id', 'created_by', 'created_time')

const update = prepared<LoginProviderRow, unknown>((db, value) =>
  db.updateTable('login_providers').set(valuesOf(changing, value)).where('id', '=', value('id')),
)

const remove = deleteFrom('login_providers', 'id')

export class SqlLoginProviderRepository implements LoginProviderRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<LoginProvider | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && loginProviderColumns.toEntity(row)
  }

  async findOfLivingSpace(id: string): Promise<LoginProvider | undefined> {
    const row = await this.#session.first(livingById, { id })
    return row && loginProviderColumns.toEntity(row)
  }

  async listOfLivingSpace(spaceId: string): Promise<readonly LoginProvider[]> {
    const rows = await this.#session.all(livingOfSpace, { id: spaceId })
    return rows.map((row) => loginProviderColumns.toEntity(row))
  }

  async listOf(spaceId: string): Promise<readonly LoginProvider[]> {
    const rows = await this.#session.all(listOf, { spaceId })
    return rows.map((row) => loginProviderColumns.toEntity(row))
  }

  async insert(provider: LoginProvider): Promise<void> {
    await this.#session.run(insert, loginProviderColumns.toRow(provider))
  }

  async update(provider: LoginProvider): Promise<void> {
    await this.#session.run(update, loginProviderColumns.toRow(provider))
  }

  async delete(id: string): Promise<void> {
    await this.#session.run(remove, { id })
  }
}
