import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqlite } from '../sqlite.ts'
import { backUpFile } from './backup-file.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  await (await sqlite({ file }).open({ onCommit: () => {} })).close()
})
afterEach(() => rmSync(folder, { recursive: true }))

test('[SQLITE-28] a backup says what is wrong with the place of either file, and makes nothing', async () => {
  mkdirSync(join(folder, 'within'))
  const target = join(folder, 'within', 'copy.db')
  const nowhere = join(folder, 'nowhere', 'x.db')
  const noFolder = 'its folder does not exist'
  const places: readonly (readonly [from: string, to: string, blamed: string, why: string])[] = [
    [':memory:', target, ':memory:', 'a database in memory has no file that could be copied'],
    [nowhere, target, nowhere, 'it is not there'],
    [join(folder, 'other.db'), target, join(folder, 'other.db'), 'it is not there'],
    [file, nowhere, nowhere, noFolder],
    [file, join(file, 'x.db'), join(file, 'x.db'), 'the path of its folder is not a folder'],
    [`${file} `, target, `${file} `, 'its path begins or ends with a blank'],
    [file, `${target}\n`, `${target}\n`, 'its path begins or ends with a blank'],
  ]
  for (const [from, to, blamed, why] of places) {
    await expect(backUpFile(from, to, undefined)).rejects.toMatchObject({
      name: 'FileUnusableError',
      message: `The file ${blamed} can't be used: ${why}`,
    })
  }
  expect(readdirSync(join(folder, 'within'))).toEqual([])
  const full = async () => {
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
  }
  await expect(backUpFile(file, target, undefined, full)).rejects.toThrow(
    `The file ${target} can't be used: database or disk is full`,
  )
  const damaged = join(folder, 'damaged.db')
  writeFileSync(damaged, 'text '.repeat(100))
  await expect(backUpFile(damaged, target, undefined)).rejects.toThrow(
    `The file ${damaged} can't be used: file is not a database`,
  )
  expect(readdirSync(join(folder, 'within'))).toEqual([])
  writeFileSync(target, '')
  await expect(backUpFile(file, target, undefined)).rejects.toMatchObject({ code: 'EEXIST' })
})
