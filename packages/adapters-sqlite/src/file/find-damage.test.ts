import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findDamage } from './find-damage.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  const database = new Database(file)
  database.pragma('foreign_keys = OFF')
  database.exec(`
    create table notes (id integer primary key, text text);
    create index notes_text on notes (text);
    create table replies (note integer references notes (id));
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000)
    insert into notes select n, hex(zeroblob(40)) from numbers;
  `)
  database.close()
})

afterEach(() => rmSync(folder, { recursive: true }))

test('[SQLITE-13] finds nothing in a sound file', () => {
  expect(findDamage(file)).toEqual([])
})

test('[SQLITE-13] finds broken pages', () => {
  const bytes = readFileSync(file)
  bytes.fill(0xff, 8 * 4096, 10 * 4096)
  writeFileSync(file, bytes)
  expect(findDamage(file)).not.toEqual([])
})

test('[SQLITE-13] finds a broken header', () => {
  const bytes = readFileSync(file)
  bytes.fill(0xff, 0, 100)
  writeFileSync(file, bytes)
  expect(findDamage(file)).toEqual(['file is not a database'])
})

test('[SQLITE-13] finds rows that miss what they refer to', () => {
  const database = new Database(file)
  database.pragma('foreign_keys = OFF')
  database.exec('insert into replies values (1), (9999)')
  database.close()
  expect(findDamage(file)).toEqual(['a row of replies misses its row of notes'])
})

test('[SQLITE-13] refuses a file that is not there, and makes none', () => {
  expect(() => findDamage(join(folder, 'other.db'))).toThrow('unable to open')
})
