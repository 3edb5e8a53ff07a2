import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { postgres } from '@gateleg/adapters-postgres/postgres'
import { findDamage } from '@gateleg/adapters-sqlite/file/find-damage'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { Storage } from '@gateleg/domain/store'
import { openEngine } from '@gateleg/engine/open-engine'
import { migrations } from '@gateleg/sql/migrations/migrations'
import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { type FreshDatabase, makeDatabase } from '../fresh-database.ts'
import { isOn } from '../storages.ts'
import { dumpPostgres } from './dump-postgres.ts'
import {
  hashesOf,
  type SampleHashes,
  sampleEmail,
  sampleKey,
  samplePassword,
} from './sample-workspace.ts'
import { textHashes } from './text-hashes.ts'

const here = import.meta.dirname
const firstVersion = 5
const numberOf = (version: number) => String(version).padStart(3, '0')
const versions = migrations.map((_, index) => numberOf(index + 1)).slice(firstVersion - 1)

function readJson(...path: string[]) {
  return JSON.parse(readFileSync(join(here, ...path), 'utf8'))
}

function unpack(version: string, name: string): Buffer {
  return gunzipSync(readFileSync(join(here, version, name)))
}

/** Runs the work on a file of the version, changed by the statements. */
async function onFile(
  version: string,
  statements: string,
  work: (file: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const file = join(folder, 'gateleg.db')
  writeFileSync(file, unpack(version, 'gateleg.db.gz'))
  const database = new Database(file)
  database.exec(statements)
  database.close()
  await work(file)
  expect(findDamage(file)).toEqual([])
  rmSync(folder, { recursive: true })
}

/** Runs the work on a database of the version, changed by the statements. */
async function onDatabase(
  version: string,
  statements: string,
  work: (database: FreshDatabase) => Promise<void>,
): Promise<void> {
  const database = await makeDatabase()
  const client = new pg.Client({ connectionString: database.connectionString })
  await client.connect()
  await client.query(unpack(version, 'postgres.sql.gz').toString())
  await client.query(`set search_path = gateleg; ${statements}`)
  await client.end()
  await work(database)
  await database.drop()
}

/** Opens the storage twice: what the first time upgraded is up to date the second time. */
async function expectSameBases(version: string, storage: () => Storage): Promise<void> {
  const expected: SampleHashes = readJson(version, 'hashes.json')
  for (const times of [1, 2]) {
    const engine = await openEngine({ storage: storage(), instanceKey: sampleKey, jobs: false })
    expect([times, await hashesOf(engine)]).toEqual([times, expected])
    await engine.close()
  }
}

describe.each(versions)('a workspace of version %s', (version) => {
  test.runIf(isOn('sqlite'))('[STORE-47] keeps all that is in it, in a file', () =>
    onFile(version, '', (file) => expectSameBases(version, () => sqlite({ file }))),
  )

  test.runIf(isOn('postgres'))('[STORE-47] keeps all that is in it, in a database', () =>
    onDatabase(version, '', ({ connectionString }) =>
      expectSameBases(version, () => postgres({ connectionString })),
    ),
  )
})

/** An open invitation to every space: the sample of the first version that had any holds none. */
const inviting = `insert into invitations (token_hash, id, resource_type, resource_id, email, role,
    created_by, created_time, expires_time)
  select 'digest of ' || spaces.id, 'ivt' || spaces.id, 'space', spaces.id, 'new@example.com', 'editor',
    users.id, '2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'
  from spaces, users where users.email = '${sampleEmail}'`

describe('a workspace of version 008 with invitations', () => {
  async function expectInvitation(storage: Storage): Promise<void> {
    const engine = await openEngine({ storage, instanceKey: sampleKey, jobs: false })
    const { id: userId } = await engine.public.accounts.signIn({
      email: sampleEmail,
      password: samplePassword,
    })
    const api = engine.as({ userId })
    const [space] = await api.spaces.listSpaces({})
    const spaceId = space?.id ?? ''
    expect(await api.collaborators.listSpaceInvitations({ spaceId })).toEqual([
      {
        invitationId: `ivt${spaceId}`,
        email: 'new@example.com',
        role: 'editor',
        createdBy: userId,
        createdTime: '2026-01-01T00:00:00.000Z',
        expiresTime: '2999-01-01T00:00:00.000Z',
      },
    ])
    await engine.close()
  }

  test.runIf(isOn('sqlite'))('[STORE-47] keeps them, in a file', () =>
    onFile('008', inviting, (file) => expectInvitation(sqlite({ file }))),
  )

  test.runIf(isOn('postgres'))('[STORE-47] keeps them, in a database', () =>
    onDatabase('008', inviting, ({ connectionString }) =>
      expectInvitation(postgres({ connectionString })),
    ),
  )
})

/** A user whom a provider signs in, and one of an embedding program. */
const others = ['provider', 'program'].map(
  (name) => `insert into users (id, name, email, is_admin, notify_by_email, created_time, version)
  select 'usr-${name}', users.name, '${name}@example.com', is_admin, notify_by_email, created_time, version
  from users where email = '${sampleEmail}';`,
)
const signingIn = `${others.join('')} insert into identities
    (id, user_id, provider_id, space_id, authority, subject, created_time)
  values ('idn1', 'usr-provider', 'aut1', 'spc1', 'digest', 'p', '2026-01-01T00:00:00.000Z')`

describe('a workspace of version 028 with people who sign in, or do not', () => {
  async function expectMails(storage: Storage): Promise<void> {
    const mailer = new KeptMail()
    const ports = { mail: { mailer } }
    const engine = await openEngine({ storage, instanceKey: sampleKey, jobs: false, ports })
    const addresses = [sampleEmail, 'provider@example.com', 'program@example.com']
    for (const email of addresses) await engine.public.accounts.sendPasswordReset({ email })
    expect(mailer.mails.map(({ to }) => to)).toEqual(addresses.slice(0, 2))
    await engine.close()
  }

  test.runIf(isOn('sqlite'))('[ACCOUNT-60] mails those passwords who do, in a file', () =>
    onFile('028', signingIn, (file) => expectMails(sqlite({ file }))),
  )

  test.runIf(isOn('postgres'))('[ACCOUNT-60] mails those passwords who do, in a database', () =>
    onDatabase('028', signingIn, ({ connectionString }) =>
      expectMails(postgres({ connectionString })),
    ),
  )
})

/** What makes storages out of the first version that no released version made. */
const strangers = {
  'of an earlier version': 'delete from migrations where number = 5',
  'of an earlier version, upgraded': 'alter table fields drop column result',
  'whose migrations are others': `create table migration_texts (number integer, text text);
    insert into migration_texts select number, 'create table users' from migrations`,
}

describe.each(Object.entries(strangers))('a workspace %s', (_title, statements) => {
  const refusal = {
    name: 'UnknownStorageError',
    message: expect.stringMatching(/^The storage was made by a version .* was left as it is$/),
  }

  test.runIf(isOn('sqlite'))('[STORE-49] is refused and left as it is, in a file', () =>
    onFile('005', statements, async (file) => {
      const before = readFileSync(file)
      const opening = openEngine({ storage: sqlite({ file }), instanceKey: sampleKey })
      await expect(opening).rejects.toMatchObject(refusal)
      expect(readFileSync(file).equals(before)).toBe(true)
    }),
  )

  test.runIf(isOn('postgres'))('[STORE-49] is refused and left as it is, in a database', () =>
    onDatabase('005', statements, async ({ connectionString }) => {
      const before = await dumpPostgres(connectionString)
      const opening = openEngine({ storage: postgres({ connectionString }) })
      await expect(opening).rejects.toMatchObject(refusal)
      expect(await dumpPostgres(connectionString)).toBe(before)
    }),
  )
})

// One that is changed would make other storages than those that there are: what it did wrong, a new one
// mends. Both fail for a new one until `node scripts/land-migration.ts` has been run.
test('[STORE-48] every migration says what it said when it landed', () => {
  expect(textHashes()).toEqual(readJson('landed.json'))
})
test('[STORE-48] a workspace of every version is kept', () => {
  expect(versions.filter((version) => !existsSync(join(here, version)))).toEqual([])
})
