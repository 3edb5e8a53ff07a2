import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqlite } from '../sqlite.ts'

const program = join(import.meta.dirname, '../../../../test/file-holder.ts')
const noEvents = { onCommit: () => {} }

let folder: string
let file: string
let other: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
})
afterEach(async () => {
  await kill()
  rmSync(folder, { recursive: true })
})

/** Has another process open the file. */
async function openElsewhere(): Promise<void> {
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('It did not open')))
  await Promise.race([once(child.stdout, 'data'), ended])
  ended.catch(() => {})
  other = child
}

async function kill(): Promise<void> {
  if (!other) return
  const ended = once(other, 'exit')
  other.kill('SIGKILL')
  await ended
  other = undefined
}

test('[SQLITE-17] a file that another process serves is refused and left alone, by any way to it', async () => {
  await openElsewhere()
  const before = readFileSync(file)
  const link = join(folder, 'link.db')
  symlinkSync(file, link)
  mkdirSync(join(folder, 'within'))
  for (const way of [file, link, join(folder, 'within', '..', 'workspace.db')]) {
    await expect(sqlite({ file: way }).open(noEvents)).rejects.toMatchObject({
      name: 'FileInUseError',
      message: `Another program is using ${way}: only one at a time may, so end that one first, or use another file`,
    })
  }
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('[SQLITE-17] a file whose process was killed is free at once', async () => {
  await openElsewhere()
  await kill()
  await (await sqlite({ file }).open(noEvents)).close()
})

test('[SQLITE-39] a file that this program has open is refused at once, by any way to it', async () => {
  const link = join(folder, 'link.db')
  symlinkSync(file, link)
  mkdirSync(join(folder, 'within'))
  const first = await sqlite({ file }).open(noEvents)
  for (const way of [file, link, join(folder, 'within', '..', 'workspace.db')]) {
    await expect(sqlite({ file: way }).open(noEvents)).rejects.toMatchObject({
      name: 'FileUnusableError',
      message: `The file ${way} can't be used: this program has the file open already, so use the engine that has it open, or close that engine first`,
    })
  }
  await expect(openElsewhere()).rejects.toThrow('It did not open')
  await first.close()
  const again = await sqlite({ file: link }).open(noEvents)
  await again.close()
})

test('[SQLITE-39] of two that open a file at one time, one is refused', async () => {
  const opening = [1, 2].map(() => sqlite({ file }).open(noEvents))
  const results = await Promise.allSettled(opening)
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  for (const result of results) if (result.status === 'fulfilled') await result.value.close()
  await openElsewhere()
})

test('[SQLITE-39] a file is opened through a link that led nowhere, and known again by both names', async () => {
  const link = join(folder, 'link.db')
  symlinkSync(file, link)
  const first = await sqlite({ file: link }).open(noEvents)
  await expect(sqlite({ file }).open(noEvents)).rejects.toMatchObject({ name: 'FileUnusableError' })
  await first.close()
})

test('[SQLITE-39] databases in memory are each their own', async () => {
  const opened = await Promise.all([1, 2].map(() => sqlite({ file: ':memory:' }).open(noEvents)))
  const keys = await Promise.all(opened.map((open, at) => open.instanceKey(`key ${at}`)))
  expect(keys).toEqual(['key 0', 'key 1'])
  for (const open of opened) await open.close()
})

test('[SQLITE-17] a file that is served can be read', async () => {
  await openElsewhere()
  const reader = new Database(file, { readonly: true })
  expect(reader.prepare('select count(*) from users').pluck().get()).toBe(0)
  reader.close()
})

test('[SQLITE-18] files are for the eyes of their owner alone', async () => {
  const store = await sqlite({ file }).open(noEvents)
  await store.instanceKey('key')
  for (const ending of ['', '-wal', '-shm', '.lock']) {
    expect([ending, statSync(`${file}${ending}`).mode & 0o777]).toEqual([ending, 0o600])
  }
  await store.close()
})
