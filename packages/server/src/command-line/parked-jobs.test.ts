import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgres } from '@gateleg/adapters-postgres/postgres'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { Storage } from '@gateleg/domain/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeDatabase } from '../../../../test/fresh-database.ts'
import { runProgram, startServer } from '../../../../test/server-process.ts'
import { isOn } from '../../../../test/storages.ts'
import { databaseFile } from '../data-directory/data-directory.ts'

const now = '2026-01-01T00:00:00.000Z'

/** Parks a job, as three deaths of its process would. */
async function park(storage: Storage): Promise<void> {
  const { store, close } = await openQuietly(storage)
  await store.write(async ({ jobs }) => {
    await jobs.ensure({ id: 'big', kind: 'some', dueTime: now, failures: 0 })
    const terms = { now, farthest: '9999', leaseUntil: now, claim: 'ours' }
    // By due time: no other job was due so early.
    const job = await jobs.claim(terms)
    if (job) await jobs.park(job, now, 'It fell.')
  })
  await close()
}

async function openQuietly(storage: Storage) {
  const opened = await storage.open({ onCommit: () => undefined })
  return { store: opened.store, close: () => opened.close() }
}

const listed = 'big (some), parked since 2026-01-01T00:00:00.000Z\n    It fell.\n'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe.runIf(isOn('sqlite'))('on SQLite', () => {
  const run = (...words: string[]) => runProgram(words, { DATA_DIR: folder })

  test('[SERVER-30] lists parked jobs while a server runs, and has one tried again after its end', async () => {
    expect(await run('jobs')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATA_DIR'),
    })
    const first = await startServer({ DATA_DIR: folder })
    await first.kill()
    await park(sqlite({ file: databaseFile(folder) }))
    const server = await startServer({ DATA_DIR: folder })
    try {
      expect(await run('jobs')).toEqual({ code: 0, stdout: listed, stderr: '' })
      const refused = await run('jobs', 'retry', 'big')
      expect(refused.code).toBe(1)
      expect(refused.stderr).toMatch(
        /^gateleg can't go on\.\nA server, or another program, is using .*gateleg\.db: end it, have the job tried again, and start it after that\.\n$/,
      )
    } finally {
      await server.kill()
    }
    const unknown = await run('jobs', 'retry', 'small')
    expect(unknown.stderr).toContain('No job "small" is parked: gateleg jobs lists those that are.')
    expect(await run('jobs', 'retry', 'big')).toMatchObject({ code: 0 })
    expect(await run('jobs')).toEqual({ code: 0, stdout: 'No job is parked.\n', stderr: '' })
  })
})

describe.runIf(isOn('postgres'))('on PostgreSQL', () => {
  test('[SERVER-30] lists and retries beside servers', async () => {
    const database = await makeDatabase()
    const { connectionString } = database
    await park(postgres({ connectionString, poolSize: 2 }))
    const run = (...words: string[]) =>
      runProgram(words, { DATABASE_URL: connectionString, DATA_DIR: folder })
    const server = await startServer({ DATABASE_URL: connectionString })
    try {
      expect(await run('jobs')).toEqual({ code: 0, stdout: listed, stderr: '' })
      expect(await run('jobs', 'retry', 'big')).toMatchObject({ code: 0 })
      expect(await run('jobs')).toMatchObject({ stdout: 'No job is parked.\n' })
    } finally {
      await server.kill()
      await database.drop()
    }
  })
})
