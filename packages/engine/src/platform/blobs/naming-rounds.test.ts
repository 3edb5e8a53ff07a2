import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { piecesOf } from '@gateleg/testing/contracts/files/blob-store-contract'
import { expect, test } from 'vitest'
import { DiskBlobStore } from './disk-blob-store.ts'
import { NamingRounds } from './naming-rounds.ts'
import { syncFolder } from './sync-folder.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'gateleg-names-'))
const names = ['v', 'w', 'x', 'y', 'z']

function newFiles(folder: string): (name: string) => string {
  for (const name of names) writeFileSync(join(folder, `${name}.part`), name)
  return (name) => join(folder, `${name}.part`)
}

test('[BLOB-13] files that come while others get their names share the next sync, and none is told of before', async () => {
  const folder = newFolder()
  const fileOf = newFiles(folder)
  const synced: string[] = []
  const rounds = new NamingRounds(folder, async (of) => {
    await syncFolder(of)
    if (of !== folder) synced.push(of)
  })
  const name = async (one: string) => {
    const given = await rounds.name(fileOf(one), (subfolder) => `${one}-${subfolder}`)
    const subfolder = join(folder, given.slice(-2))
    expect(synced).toContain(subfolder)
    expect(readFileSync(join(subfolder, given), 'utf8')).toBe(one)
    return subfolder
  }
  const [first, ...others] = await Promise.all(names.map(name))
  expect(new Set(others).size).toBe(1)
  expect(synced).toEqual([first, others[0]])
})

test('[BLOB-13] a file that can get no name is told so alone', async () => {
  const folder = newFolder()
  const fileOf = newFiles(folder)
  const rounds = new NamingRounds(folder)
  const ended = await Promise.allSettled(
    ['v', 'none', 'w'].map((one) => rounds.name(fileOf(one), () => one)),
  )
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('[BLOB-13] where the sync fails all of the round are told so, and have no name', async () => {
  const folder = newFolder()
  const fileOf = newFiles(folder)
  let isBroken = true
  const rounds = new NamingRounds(folder, async (of) => {
    if (isBroken && of !== folder) throw new Error('EIO')
  })
  const nameAll = () => Promise.allSettled(names.map((one) => rounds.name(fileOf(one), () => one)))
  const ended = await nameAll()
  expect(ended.map(({ status }) => status)).toEqual(names.map(() => 'rejected'))
  const left = readdirSync(folder, { recursive: true }).map((name) => String(name).slice(-1))
  expect(left.filter((name) => names.includes(name))).toEqual([])
  isBroken = false
  newFiles(folder)
  expect((await nameAll()).map(({ status }) => status)).toEqual(names.map(() => 'fulfilled'))
})

test('[BLOB-14] a file whose path tells no subfolder is in that of its digest', async () => {
  const folder = newFolder()
  const store = new DiskBlobStore(folder)
  const { path } = await store.put(piecesOf(Buffer.from('text')))
  const older = path.slice(0, -3)
  expect(await store.read(older)).toBeUndefined()
  mkdirSync(join(folder, path.slice(0, 2)), { recursive: true })
  renameSync(join(folder, path.slice(-2), path), join(folder, path.slice(0, 2), older))
  const pieces: Uint8Array[] = []
  for await (const piece of (await store.read(older)) ?? []) pieces.push(piece)
  expect(Buffer.concat(pieces).toString()).toBe('text')
  const listed: string[] = []
  for await (const page of store.list()) listed.push(...page.map((one) => one.path))
  expect(listed).toEqual([older])
  await store.remove(older)
  expect(existsSync(join(folder, path.slice(0, 2), older))).toBe(false)
})
