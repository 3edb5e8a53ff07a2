import type { OpenStorage } from '@gateleg/domain/store'
import type { Migration } from '@gateleg/sql/migrations/migration'
import { migrations } from '@gateleg/sql/migrations/migrations'
import { writeMigrations } from '@gateleg/sql/migrations/write-migrations'
import { newUser } from '@gateleg/testing/factories/stored-rows'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  giveBackSchema,
  onSchema,
  takeSchema,
  testConnectionString,
} from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'
import { postgresDialect } from './dialect.ts'
import { openPostgres } from './open-postgres.ts'
import { postgres } from './postgres.ts'

const [accounts] = migrations as [Migration]
const noEvents = { onCommit: () => {} }

describe.runIf(isOn('postgres'))('a PostgreSQL database', () => {
  let schema: string
  let open: OpenStorage[]
  let client: pg.Client

  beforeEach(async () => {
    // Of a name that no other test uses: these begin before the tables are made.
    schema = `${await takeSchema()}_own`
    open = []
    client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
  })

  afterEach(async () => {
    for (const storage of open) await storage.close()
    await client.query(`drop schema if exists "${schema}" cascade`)
    await client.end()
    giveBackSchema(schema.replace(/_own$/, ''))
  })

  async function openWith(known: readonly Migration[], metadataSchema = schema) {
    const connectionString = testConnectionString()
    const options = { connectionString, metadataSchema, poolSize: 2 }
    const storage = await openPostgres(options, noEvents, (schema) =>
      writeMigrations(postgresDialect(schema), known),
    )
    open.push(storage)
    return storage
  }

  const applied = async () => {
    const { rows } = await client.query(`select * from "${schema}".migrations order by number`)
    return rows
  }

  const numbered = (known: readonly Migration[]) =>
    known.map(({ name }, index) => ({ number: index + 1, name }))

  const statement = (text: string) => ({
    compile: () => CompiledQuery.raw(text.replaceAll('SCHEMA', `"${schema}"`)),
  })

  const nicknames: Migration = {
    name: '900-nicknames',
    statements: () => [
      statement('alter table SCHEMA.users add column nickname text'),
      statement('update SCHEMA.users set nickname = lower(name)'),
    ],
  }

  test('[POSTGRES-1] is migrated once by those who open it at one time', async () => {
    await Promise.all(Array.from({ length: 5 }, () => openWith(migrations)))
    expect(await applied()).toEqual(numbered(migrations))
    await openWith(migrations)
    expect(await applied()).toEqual(numbered(migrations))
  })

  test('[POSTGRES-1] gives no time limit to a migration, nor to who waits for it', async () => {
    const slow: Migration = {
      name: '902-slow',
      statements: () => [
        statement(
          `create table SCHEMA.limits as select current_setting('statement_timeout') as statement,
            current_setting('lock_timeout') as lock`,
        ),
      ],
    }
    await openWith([slow])
    const { rows } = await client.query(`select * from "${schema}".limits`)
    expect(rows).toEqual([{ statement: '0', lock: '0' }])
  })

  test('[POSTGRES-2] is brought up to date and keeps its data', async () => {
    const old = await openWith(migrations)
    await old.store.write((tx) => tx.users.insert(newUser(1)))
    const store = await openWith([...migrations, nicknames])
    expect(await store.read((tx) => tx.users.find('usr1'))).toEqual(newUser(1))
    expect(await applied()).toEqual(numbered([...migrations, nicknames]))
    const { rows } = await client.query(`select nickname from "${schema}".users`)
    expect(rows).toEqual([{ nickname: 'ada 1' }])
  })

  test('[POSTGRES-3] is refused when it is newer', async () => {
    await openWith([...migrations, nicknames])
    await expect(openWith(migrations)).rejects.toMatchObject({
      name: 'NewerStorageError',
      message: `The storage is at version ${migrations.length + 1}, this program knows versions up to ${migrations.length}: use a newer program`,
    })
  })

  test('[POSTGRES-3] stays as it was when a migration fails', async () => {
    await openWith([accounts])
    const broken: Migration = {
      name: '901-broken',
      statements: () => [statement('drop table SCHEMA.users'), statement('select * from nowhere')],
    }
    await expect(openWith([accounts, broken])).rejects.toThrow('nowhere')
    expect(await applied()).toEqual(numbered([accounts]))
    const store = await openWith([accounts])
    expect(await store.read((tx) => tx.users.find('usr1'))).toBeUndefined()
  })

  test('[POSTGRES-13] holds instances that know nothing of each other', async () => {
    const mine = await openWith(migrations)
    const yours = await openWith(migrations, schema.replace(/_own$/, ''))
    await mine.store.write((tx) => tx.users.insert(newUser(1)))
    expect(await yours.read((tx) => tx.users.find('usr1'))).toBeUndefined()
    expect(await yours.instanceKey('yours')).toBe('yours')
    expect(await mine.instanceKey('mine')).toBe('mine')
  })

  test.each(['', 'Upper', 'pg_own', '1st', 'a-b', 'x'.repeat(51), 'a"; drop table users'])(
    '[POSTGRES-14] is refused with a metadata schema called "%s"',
    async (metadataSchema) => {
      const opening = onSchema(metadataSchema).open(noEvents)
      await expect(opening).rejects.toThrow("can't be the name of a schema")
    },
  )

  test('[POSTGRES-14] is refused with an encoding that lacks characters', async () => {
    await client.query(
      `create database "${schema}" encoding SQL_ASCII locale 'C' locale_provider libc template template0`,
    )
    try {
      const url = new URL(testConnectionString())
      url.pathname = schema
      const opening = postgres({ connectionString: url.href }).open(noEvents)
      await expect(opening).rejects.toThrow("The database's encoding is SQL_ASCII")
    } finally {
      await client.query(`drop database "${schema}"`)
    }
  })

  test('[POSTGRES-14] is refused without the collation by which cases are made alike', async () => {
    await client.query(`create database "${schema}" template template0`)
    const url = new URL(testConnectionString())
    url.pathname = schema
    try {
      const inside = new pg.Client({ connectionString: url.href })
      await inside.connect()
      await inside.query(`delete from pg_collation where collname = 'und-x-icu'`)
      await inside.end()
      const opening = postgres({ connectionString: url.href }).open(noEvents)
      await expect(opening).rejects.toThrow('The database has no collation "und-x-icu"')
    } finally {
      await client.query(`drop database "${schema}"`)
    }
  })

  test('[POSTGRES-24] is refused without an address, and with an option that there is not', () => {
    for (const options of [undefined, {}, { connectionString: '' }, { connectionString: 5432 }]) {
      expect(() => postgres(options as never)).toThrow('postgres needs the address of a database')
    }
    expect(() => postgres({ connectionstring: 'postgres://x' } as never)).toThrow(
      new TypeError(
        'postgres has an unknown option connectionstring: did you mean connectionString?',
      ),
    )
  })

  test("[POSTGRES-6] is not opened when it can't be reached", async () => {
    const connectionString = 'postgres://nobody:secret@127.0.0.1:1/none'
    const error = await postgres({ connectionString })
      .open(noEvents)
      .catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') })
    expect(String((error as Error).stack)).not.toContain('secret')
  })
})
