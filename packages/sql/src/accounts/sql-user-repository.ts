import type { Lock } from '@gateleg/domain/access/lock'
import { alreadyRegistered, type User } from '@gateleg/domain/accounts/users/user'
import type { Profile, UserRepository } from '@gateleg/domain/accounts/users/user-repository'
import { isUniqueFailure } from '../core/connection.ts'
import { prepared } from '../core/database.ts'
import { findById } from '../core/own-tables/find-by-id.ts'
import { insertInto, valuesOf } from '../core/own-tables/insert-row.ts'
import type { SqlSession } from '../core/session.ts'
import { type UserRow, userColumns } from '../metadata/tables/user-table.ts'
import type { ProfilesRead } from './profiles-read.ts'

const findBy = findById('users')

const findByEmail = prepared<{ email: string }, UserRow>((db, value) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', value('email'))
    .where('deleted_time', 'is', null),
)

const livingWith = (lock: Lock) =>
  prepared<{ ids: readonly string[] }, { id: string }>((db, value, dialect) =>
    db
      .selectFrom('users')
      .select('id')
      .where(dialect.lists.isIn('id', value('ids')))
      .where('deleted_time', 'is', null)
      // Who holds several takes them in one order.
      .orderBy('id')
      .modifyEnd(dialect.locks.clause(lock, 'users')),
  )
const livingBy = {
  none: livingWith('none'),
  share: livingWith('share'),
  update: livingWith('update'),
} as const

const namesOf = prepared<{ ids: readonly string[] }, { id: string; name: string }>(
  (db, value, dialect) =>
    db
      .selectFrom('users')
      .select(['id', 'name'])
      .where(dialect.lists.isIn('id', value('ids'))),
)

const nameOf = prepared<{ id: string }, { id: string; name: string }>((db, value) =>
  db.selectFrom('users').select(['id', 'name']).where('id', '=', value('id')),
)

const count = prepared<Record<never, never>, { count: number | string }>((db) =>
  db.selectFrom('users').select(({ fn }) => fn.countAll<number | string>().as('count')),
)

const firstCreatedTime = prepared<Record<never, never>, { first: string | null }>((db) =>
  db.selectFrom('users').select(({ fn }) => fn.min<string | null>('created_time').as('first')),
)

type ProfileRow = Pick<UserRow, 'id' | 'name' | 'email' | 'avatar'>

const profilesOf = prepared<{ ids: readonly string[] }, ProfileRow>((db, value, dialect) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'avatar'])
    .where(dialect.lists.isIn('id', value('ids')))
    .orderBy('id'),
)

const profileOf = prepared<{ id: string }, ProfileRow>((db, value) =>
  db.selectFrom('users').select(['id', 'name', 'email', 'avatar']).where('id', '=', value('id')),
)

/** One row per instance: who comes second waits for the first, and finds the row taken. */
const claimAdministration = prepared<{ userId: string }, unknown>((db, value) =>
  db
    .insertInto('instance')
    .values({ name: 'administrator', value: value('userId') })
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

const listWithRoleIn = prepared<
  { places: readonly string[] },
  Pick<UserRow, 'id' | 'name' | 'email'>
>((db, value, dialect) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('collaborators')
        .select('user_id')
        .where(dialect.lists.isIn('resource_id', value('places'))),
    )
    .orderBy('name')
    .orderBy('id'),
)

const insert = insertInto('users', userColumns)

const update = prepared<UserRow, unknown>((db, value) =>
  db
    .updateTable('users')
    .set(valuesOf(userColumns.except('id', 'created_time'), value))
    .where('id', '=', value('id')),
)

async function refuseTaken(
  { email }: User,
  advice: string,
  store: () => Promise<unknown>,
): Promise<void> {
  try {
    await store()
  } catch (error) {
    if (!isUniqueFailure(error)) throw error
    throw alreadyRegistered(email, advice)
  }
}

export class SqlUserRepository implements UserRepository {
  readonly #session: SqlSession
  readonly #profiles: ProfilesRead

  constructor(session: SqlSession, profiles: ProfilesRead) {
    this.#session = session
    this.#profiles = profiles
  }

  async find(id: string, lock: Lock = 'none'): Promise<User | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && userColumns.toEntity(row)
  }

  async findByEmail(email: string): Promise<User | undefined> {
    // ASCII only: a Kelvin sign in lower case would be a k, and so somebody else's address.
    const lowered = email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    const row = await this.#session.first(findByEmail, { email: lowered })
    return row && userColumns.toEntity(row)
  }

  async count(): Promise<number> {
    return Number((await this.#session.one(count, {})).count)
  }

  async firstCreatedTime(): Promise<string | undefined> {
    return (await this.#session.one(firstCreatedTime, {})).first ?? undefined
  }

  async livingAmong(ids: readonly string[], lock: Lock = 'none'): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#session.all(livingBy[lock], { ids })
    return new Set(rows.map(({ id }) => id))
  }

  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const [id, ...others] = ids
    if (id === undefined) return new Map()
    // A record by itself names one person most often.
    const rows =
      others.length > 0
        ? await this.#session.all(namesOf, { ids })
        : await this.#session.all(nameOf, { id })
    return new Map(rows.map(({ id, name }) => [id, name]))
  }

  async profilesOf(ids: readonly string[]): Promise<ReadonlyMap<string, Profile>> {
    const [id, ...others] = ids
    if (id === undefined) return new Map()
    const known = await this.#profiles.find(ids)
    if (known.size === ids.length) return known
    const rows =
      others.length > 0
        ? await this.#session.all(profilesOf, { ids })
        : await this.#session.all(profileOf, { id })
    return new Map(
      rows.map(({ id, name, email, avatar }) => [id, { name, email, avatar: avatar ?? undefined }]),
    )
  }

  async listWithRoleIn(spaceId: string, baseId: string) {
    return this.#session.all(listWithRoleIn, { places: [spaceId, baseId] })
  }

  async claimAdministration(userId: string): Promise<boolean> {
    return (await this.#session.run(claimAdministration, { userId })) > 0
  }

  async insert(user: User): Promise<void> {
    await refuseTaken(user, 'sign in instead', () =>
      this.#session.run(insert, userColumns.toRow(user)),
    )
  }

  async update(user: User): Promise<void> {
    this.#profiles.forget(user.id)
    await refuseTaken(user, 'choose another address', () =>
      this.#session.run(update, userColumns.toRow(user)),
    )
  }
}
