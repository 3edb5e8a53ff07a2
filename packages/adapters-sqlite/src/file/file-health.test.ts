import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqlFailure } from '@gateleg/sql/core/connection'
import { newUser } from '@gateleg/testing/factories/stored-rows'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqlite } from '../sqlite.ts'
import { FileHealth } from './file-health.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  const storage = await open()
  await storage.store.write(async (tx) => {
    for (let number = 1; number <= 500; number++) await tx.users.insert(newUser(number))
  })
  await storage.close()
})

afterEach(() => rmSync(folder, { recursive: true }))

const heard: unknown[] = []

function open() {
  heard.length = 0
  return sqlite({ file }).open({ onCommit: () => {}, onFailure: (error) => heard.push(error) })
}

/** Puts garbage over the pages that tell of one of the users. */
function damage(): void {
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf('usr250'); at !== -1; at = bytes.indexOf('usr250', at)) {
    const page = at - (at % 4_096)
    bytes.fill(0xff, page, page + 4_096)
  }
  writeFileSync(file, bytes)
}

test('[SQLITE-25] says that a sound file can be read, and that one which is gone can not', async () => {
  const storage = await open()
  await storage.check?.()
  rmSync(file)
  await expect(storage.check?.()).rejects.toMatchObject({
    code: 'database_connection_unavailable',
    cause: { kind: 'unreadable' },
  })
  await storage.close()
})

test('[SQLITE-25] says that a file can not be read once a read has failed, and tells what is wrong', async () => {
  const storage = await open()
  damage()
  const names = Array.from({ length: 500 }, (_, index) => `usr${index + 1}`)
  const reading = storage.store.read((tx) => tx.users.namesOf(names))
  await expect(reading).rejects.toMatchObject({ code: 'database_connection_unavailable' })
  await expect(storage.check?.()).rejects.toMatchObject({ cause: { kind: 'unreadable' } })
  while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toHaveLength(1)
  expect(String(heard[0])).toMatch(/The file is damaged: [\s\S]*page \d+/)
  await expect(storage.check?.()).rejects.toMatchObject({ cause: { kind: 'unreadable' } })
  await storage.close()
})

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('[SQLITE-60] a look that did not come to its end says nothing of the file', async () => {
  let time = 0
  const told: unknown[] = []
  const health = new FileHealth({
    file,
    now: () => time,
    onDamage: (failure) => told.push(failure),
    findDamage: async () => undefined,
  })
  health.note(new SqlFailure('unreadable', 'malformed', undefined))
  for (let looks = 0; looks < 3; looks++) {
    await settle()
    await expect(health.check()).rejects.toThrow('malformed')
    time += 60_000
  }
  expect(told).toEqual([])
})

test('[SQLITE-25] looks again at times, and says so when the file is sound', async () => {
  let [time, looks] = [0, 0]
  let findings: readonly string[] = ['page 7 is broken']
  const findDamage = async () => {
    looks++
    return findings
  }
  const health = new FileHealth({ file, now: () => time, onDamage: () => {}, findDamage })
  health.note(new SqlFailure('unique', 'taken', undefined))
  await health.check()
  health.note(new SqlFailure('unreadable', 'malformed', undefined))
  await settle()
  for (let times = 0; times < 5; times++) {
    await expect(health.check()).rejects.toThrow('page 7')
    await settle()
  }
  expect(looks).toBe(1)
  findings = []
  time += 60_000
  await expect(health.check()).rejects.toThrow('page 7')
  await settle()
  await health.check()
  expect(looks).toBe(2)
})
