import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Migration } from '@gateleg/sql/migrations/migration'
import { migrations } from '@gateleg/sql/migrations/migrations'
import { writeMigrations } from '@gateleg/sql/migrations/write-migrations'
import { newUser } from '@gateleg/testing/factories/stored-rows'
import Database from 'better-sqlite3'
import { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqliteDialect } from '../dialect.ts'
import { openSqlite } from '../open-sqlite.ts'
import { findDamage } from './find-damage.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  const store = await openWith(older)
  await store.write((tx) => tx.users.insert(newUser(1)))
  await store.close()
})
afterEach(() => {
  expect(findDamage(file)).toEqual([])
  rmSync(folder, { recursive: true })
})

const older = migrations
const newer = [...older, adding('900-nicknames', 'alter table users add column nickname text')]
const copyName = `workspace.db.version-${String(older.length).padStart(3, '0')}`

function adding(name: string, ...texts: string[]): Migration {
  return {
    name,
    statements: () => texts.map((text) => ({ compile: () => CompiledQuery.raw(text) })),
  }
}

function openWith(known: readonly Migration[], path = file) {
  return openSqlite(path, 1, { onCommit: () => {} }, writeMigrations(sqliteDialect, known))
}

const copies = () => readdirSync(folder).filter((name) => name.includes('.version-'))

test('[SQLITE-19] a copy is set aside until the upgraded program has started', async () => {
  const store = await openWith(newer)
  expect(copies()).toEqual([copyName])
  const copy = join(folder, 'copy.db')
  copyFileSync(join(folder, copyName), copy)
  await store.started()
  expect(copies()).toEqual([])
  await store.close()
  // What the former program can go on with.
  expect(findDamage(copy)).toEqual([])
  const former = await openWith(older, copy)
  expect(await former.read((tx) => tx.users.find('usr1'))).toEqual(newUser(1))
  await former.close()
})

test('[SQLITE-19] a copy that an upgrade left is there until a start succeeds', async () => {
  await (await openWith(newer)).close()
  const store = await openWith(newer)
  expect(copies()).toEqual([copyName])
  await store.started()
  expect(copies()).toEqual([])
  await store.close()
})

test('[SQLITE-3] a file whose upgrade fails is what it was, and so is its copy', async () => {
  const before = readFileSync(file)
  const broken = adding('901-broken', 'delete from users', 'insert into nowhere values (1)')
  await expect(openWith([...older, broken])).rejects.toThrow('nowhere')
  for (const path of [file, join(folder, copyName)]) {
    const former = await openWith(older, path)
    expect(await former.read((tx) => tx.users.find('usr1'))).toEqual(newUser(1))
    await former.close()
  }
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('[SQLITE-19] a file that may not be upgraded is not copied', async () => {
  const others = [adding('001-other', 'create table others (id integer)'), ...newer.slice(1)]
  await expect(openWith(others)).rejects.toMatchObject({ name: 'UnknownStorageError' })
  expect(copies()).toEqual([])
})

test('[SQLITE-20] a file that any other program has open is not upgraded', async () => {
  const before = readFileSync(file)
  const other = new Database(file, { readonly: true })
  other.prepare('select * from users').all()
  await expect(openWith(newer)).rejects.toMatchObject({ name: 'FileInUseError' })
  expect(copies()).toEqual([])
  expect(readFileSync(file).equals(before)).toBe(true)
  other.close()
  await (await openWith(newer)).close()
})
