import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { User } from '@gateleg/domain/accounts/users/user'
import type { Migration } from '@gateleg/sql/migrations/migration'
import { migrations } from '@gateleg/sql/migrations/migrations'
import { writeMigrations } from '@gateleg/sql/migrations/write-migrations'
import { newUser } from '@gateleg/testing/factories/stored-rows'
import Database from 'better-sqlite3'
import { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeDurable } from './connection/open-writer.ts'
import { sqliteDialect } from './dialect.ts'
import { findDamage } from './file/find-damage.ts'
import { openSqlite } from './open-sqlite.ts'
import { sqlite } from './sqlite.ts'
import type { SqliteStore } from './sqlite-store.ts'

let folder: string
let file: string
let open: SqliteStore[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  open = []
})

afterEach(async () => {
  for (const store of open) await store.close()
  expect(findDamage(file)).toEqual([])
  rmSync(folder, { recursive: true })
})

const written = (known: readonly Migration[]) => writeMigrations(sqliteDialect, known)

async function openWith(known: readonly Migration[]): Promise<SqliteStore> {
  const store = await openSqlite(file, 2, { onCommit: () => {} }, written(known))
  open.push(store)
  return store
}

function user(number: number): User {
  return newUser(number, { refMeta: { query: "it's; drop table users" } })
}

/** What the file holds, table by table, as another program sees it. */
function contentOf(path: string) {
  const database = new Database(path, { readonly: true })
  const schema = database
    .prepare(
      "select name, type, sql from sqlite_schema where name not like 'sqlite_%' order by name",
    )
    .all() as { name: string; type: string }[]
  const tables = schema.filter(({ type }) => type === 'table')
  const rows = tables.map(({ name }) => [name, database.prepare(`select * from "${name}"`).all()])
  database.close()
  return { schema, rows: Object.fromEntries(rows) }
}

function statement(text: string) {
  return { compile: () => CompiledQuery.raw(text) }
}

/** What a later version might bring: a column for a table that has rows, and a table. */
const nicknames: Migration = {
  name: '900-nicknames',
  statements: () => [
    statement('alter table users add column nickname text'),
    statement('update users set nickname = lower(name)'),
    statement('create table greetings (text text not null primary key)'),
  ],
}

describe('migrations', () => {
  test('[SQLITE-1] brings the file of an older version up to date and keeps its data', async () => {
    const old = await openWith(migrations)
    for (const number of [1, 2]) await old.write((tx) => tx.users.insert(user(number)))
    const key = await old.instanceKey('key-1')
    await old.close()
    const before = contentOf(file)

    const store = await openWith([...migrations, nicknames])
    expect(await store.read((tx) => tx.users.find('usr2'))).toEqual(user(2))
    expect(await store.instanceKey('key-2')).toBe(key)
    await store.close()
    const { rows } = contentOf(file)
    expect(rows.users).toEqual(
      before.rows.users.map((row: { name: string }) => ({
        ...row,
        nickname: row.name.toLowerCase(),
      })),
    )
    expect(rows.migrations).toEqual(
      [...migrations, nicknames].map(({ name }, index) => ({ number: index + 1, name })),
    )
  })

  test('[SQLITE-1] makes the same file step by step as at once', async () => {
    for (let count = 1; count <= migrations.length; count++) {
      const store = await openWith(migrations.slice(0, count))
      await store.close()
    }
    const stepByStep = contentOf(file)
    rmSync(file)
    await (await openWith(migrations)).close()
    expect(contentOf(file)).toEqual(stepByStep)
  })

  test('[SQLITE-1] changes nothing in a file that is up to date', async () => {
    await (await openWith(migrations)).close()
    const before = readFileSync(file)
    await (await openWith(migrations)).close()
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test.each(['wal', 'delete'])(
    '[SQLITE-2] refuses a newer file with journal mode %s',
    async (mode) => {
      const newer = await openWith([...migrations, nicknames])
      await newer.write((tx) => tx.users.insert(user(1)))
      await newer.close()
      const database = new Database(file)
      database.pragma(`journal_mode = ${mode}`)
      database.close()
      const before = readFileSync(file)

      await expect(openWith(migrations)).rejects.toMatchObject({
        name: 'NewerStorageError',
        message: `The storage is at version ${migrations.length + 1}, this program knows versions up to ${migrations.length}: use a newer program`,
      })
      expect(readFileSync(file).equals(before)).toBe(true)
      expect(readdirSync(folder)).toEqual(['workspace.db', 'workspace.db.lock'])
    },
  )

  test('[SQLITE-3] leaves the file as it was when a migration fails half way', async () => {
    const old = await openWith(migrations)
    await old.write((tx) => tx.users.insert(user(1)))
    await old.close()
    const before = contentOf(file)
    const broken: Migration = {
      name: '901-broken',
      statements: () => [
        statement('delete from users'),
        statement('insert into no_such_table values (1)'),
      ],
    }
    await expect(openWith([...migrations, nicknames, broken])).rejects.toThrow('no_such_table')
    expect(contentOf(file)).toEqual(before)
  })

  test('[SQLITE-3] refuses a file that is no database, and leaves it alone', async () => {
    const stranger = join(folder, 'letter.txt')
    copyFileSync(new URL('SPEC.md', import.meta.url), stranger)
    const before = readFileSync(stranger)
    await expect(openSqlite(stranger, 1, { onCommit: () => {} })).rejects.toThrow('not a database')
    expect(readFileSync(stranger).equals(before)).toBe(true)
    await openWith(migrations)
  })
})

describe('durability', () => {
  test('[SQLITE-9] syncs every commit', async () => {
    await (await openWith(migrations)).close()
    const database = new Database(file)
    // What a program that opened the file before may have left.
    database.pragma('journal_mode = delete')
    database.pragma('synchronous = off')
    makeDurable(database)
    expect(database.pragma('synchronous', { simple: true })).toBe(2)
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
    database.close()
  })

  test('[SQLITE-9] opens a file in write-ahead mode', async () => {
    const store = await openWith(migrations)
    await store.write((tx) => tx.users.insert(user(1)))
    expect(readdirSync(folder)).toContain('workspace.db-wal')
  })
})

describe('snapshots', () => {
  test('[SQLITE-10] shows one state, whatever is committed meanwhile', async () => {
    const store = await openWith(migrations)
    await store.write((tx) => tx.users.insert(user(1)))
    await store.read(async (tx) => {
      const namesOf = async () => (await tx.users.namesOf(['usr1', 'usr2'])).size
      expect(await namesOf()).toBe(1)
      await store.write((writing) => writing.users.insert(user(2)))
      expect(await namesOf()).toBe(1)
    })
    expect((await store.read((tx) => tx.users.namesOf(['usr1', 'usr2']))).size).toBe(2)
  })

  test('[SQLITE-10] lends its connections to more snapshots than it has', async () => {
    const store = await openWith(migrations)
    await store.write((tx) => tx.users.insert(user(1)))
    const found = await Promise.all(
      Array.from({ length: 20 }, () => store.read((tx) => tx.users.find('usr1'))),
    )
    expect(found).toEqual(new Array(20).fill(user(1)))
    await expect(store.read(() => Promise.reject(new Error('oops')))).rejects.toThrow('oops')
    const afterFailures = [1, 2, 3].map(() => store.read((tx) => tx.users.find('usr1')))
    expect(await Promise.all(afterFailures)).toHaveLength(3)
  })

  test('[SQLITE-14] sees a write that was answered, also in the turn of an older read', async () => {
    const store = await openWith(migrations)
    const writing = store
      .write((tx) => tx.users.insert(user(1)))
      .then(() => store.read((tx) => tx.users.find('usr1')))
    const older = store.read(async (tx) => {
      const found = await tx.users.find('usr1')
      await writing
      return found
    })
    expect(await writing).toEqual(user(1))
    expect(await older).toBeUndefined()
  })

  test('[SQLITE-11] refuses to write through a snapshot', async () => {
    const store = await openWith(migrations)
    const writing = store.read((tx) => (tx as never as typeof tx & Writing).users.insert(user(1)))
    await expect(writing).rejects.toThrow('readonly')
    expect(await store.read((tx) => tx.users.find('usr1'))).toBeUndefined()
  })
})

interface Writing {
  readonly users: { insert(user: User): Promise<void> }
}

describe('closing', () => {
  test('[SQLITE-12] finishes what is under way, then refuses', async () => {
    const store = await openWith(migrations)
    const numbers = Array.from({ length: 50 }, (_, index) => index)
    const writes = numbers.map((number) => store.write((tx) => tx.users.insert(user(number))))
    const [closing, again] = [store.close(), store.close()]
    await expect(store.read((tx) => tx.users.find('usr1'))).rejects.toThrow('closed')
    await expect(store.write((tx) => tx.users.insert(user(99)))).rejects.toThrow('closed')
    await Promise.all([...writes, closing, again])
    expect(readdirSync(folder)).toEqual(['workspace.db', 'workspace.db.lock'])
    expect(contentOf(file).rows.users).toHaveLength(50)
  })
})

test('[SQLITE-28] opens no second file that the driver would take for the first', async () => {
  const open = (path: string) => sqlite({ file: path }).open({ onCommit: () => {} })
  const first = await open(file)
  const before = readdirSync(folder)
  for (const path of [`${file} `, `${file}\n`, ` ${file}`, ' :memory:', ' ']) {
    await expect(open(path)).rejects.toThrow(
      `The file ${path} can't be used: its path begins or ends with a blank`,
    )
  }
  expect(readdirSync(folder)).toEqual(before)
  await first.close()
})

test('[SQLITE-28] says of a place where no file can be what is wrong with it', async () => {
  ;(await openWith(migrations)).close()
  const circle = join(folder, 'circle.db')
  symlinkSync(circle, circle)
  for (const [place, reason] of [
    [circle, 'the symbolic links to it lead in a circle'],
    [join(folder, 'nowhere', 'x.db'), 'its folder does not exist'],
    [join(file, 'x.db'), 'the path of its folder is not a folder'],
    [folder, 'it is a folder'],
  ] as const) {
    await expect(sqlite({ file: place }).open({ onCommit: () => {} })).rejects.toThrow(
      `The file ${place} can't be used: ${reason}`,
    )
  }
  for (const options of [undefined, {}, { file: '' }]) {
    expect(() => sqlite(options as never)).toThrow('sqlite needs a file')
  }
  expect(() => sqlite({ file: ':memory:', reader: 2 } as never)).toThrow(
    new TypeError('sqlite has an unknown option reader: did you mean readers?'),
  )
  expect(readdirSync(folder)).not.toContain('nowhere')
  expect(existsSync(`${folder}.lock`)).toBe(false)
})
