import type { Lock } from '@gateleg/domain/access/lock'
import { alreadyRegistered, type User } from '@gateleg/domain/accounts/user'
import type { Profile, UserRepository } from '@gateleg/domain/accounts/user-repository'
import { isUniqueFailure } from '../core/connection.ts'
import { prepared } from '../core/database.ts'
import type { UserRow } from '../core/schema.ts'
import type { SqlSession } from '../core/session.ts'

function findWith(lock: Lock) {
  return prepared<{ id: string }, UserRow>((db, value, dialect) =>
    db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', value('id'))
      .modifyEnd(dialect.locks.clause(lock, 'users')),
  )
}

const findBy = { none: findWith('none'), share: findWith('share'), update: findWith('update') }

const findByEmail = prepared<{ email: string }, UserRow>((db, value) =>
  db.selectFrom('users').selectAll().where('email', '=', value('email')),
)

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

type ProfileRow = Pick<UserRow, 'id' | 'name' | 'email' | 'avatar'>

const profilesOf = prepared<{ ids: readonly string[] }, ProfileRow>((db, value, dialect) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'avatar'])
    .where(dialect.lists.isIn('id', value('ids'))),
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

const insert = prepared<UserRow, unknown>((db, value) =>
  db.insertInto('users').values({
    id: value('id'),
    name: value('name'),
    email: value('email'),
    password_hash: value('password_hash'),
    is_admin: value('is_admin'),
    avatar: value('avatar'),
    phone: value('phone'),
    lang: value('lang'),
    notify_by_email: value('notify_by_email'),
    ref_meta: value('ref_meta'),
    created_time: value('created_time'),
    version: value('version'),
  }),
)

const update = prepared<Omit<UserRow, 'created_time'>, unknown>((db, value) =>
  db
    .updateTable('users')
    .set({
      name: value('name'),
      email: value('email'),
      password_hash: value('password_hash'),
      is_admin: value('is_admin'),
      avatar: value('avatar'),
      phone: value('phone'),
      lang: value('lang'),
      notify_by_email: value('notify_by_email'),
      ref_meta: value('ref_meta'),
      version: value('version'),
    })
    .where('id', '=', value('id')),
)

function toUser(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    passwordHash: row.password_hash ?? undefined,
    isAdmin: Boolean(row.is_admin),
    avatar: row.avatar ?? undefined,
    phone: row.phone ?? undefined,
    lang: row.lang ?? undefined,
    notifyByEmail: Boolean(row.notify_by_email),
    refMeta: row.ref_meta === null ? undefined : JSON.parse(row.ref_meta),
    createdTime: row.created_time,
    version: row.version,
  }
}

function toRow(user: User): UserRow {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    password_hash: user.passwordHash ?? null,
    is_admin: user.isAdmin,
    avatar: user.avatar ?? null,
    phone: user.phone ?? null,
    lang: user.lang ?? null,
    notify_by_email: user.notifyByEmail,
    ref_meta: user.refMeta === undefined ? null : JSON.stringify(user.refMeta),
    created_time: user.createdTime,
    version: user.version,
  }
}

async function refuseTaken({ email }: User, store: () => Promise<unknown>): Promise<void> {
  try {
    await store()
  } catch (error) {
    if (!isUniqueFailure(error)) throw error
    throw alreadyRegistered(email)
  }
}

export class SqlUserRepository implements UserRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(id: string, lock: Lock = 'none'): Promise<User | undefined> {
    const row = await this.#session.first(findBy[lock], { id })
    return row && toUser(row)
  }

  async findByEmail(email: string): Promise<User | undefined> {
    // ASCII only: a Kelvin sign in lower case would be a k, and so somebody else's address.
    const lowered = email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    const row = await this.#session.first(findByEmail, { email: lowered })
    return row && toUser(row)
  }

  async count(): Promise<number> {
    return Number((await this.#session.one(count, {})).count)
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
    await refuseTaken(user, () => this.#session.run(insert, toRow(user)))
  }

  async update(user: User): Promise<void> {
    await refuseTaken(user, () => this.#session.run(update, toRow(user)))
  }
}
