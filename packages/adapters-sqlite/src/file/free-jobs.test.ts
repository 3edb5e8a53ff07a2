import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenStorage } from '@gateleg/domain/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqlite } from '../sqlite.ts'

const now = '2026-01-01T00:00:00.000Z'
const later = '2026-01-01T00:01:00.000Z'

let folder: string
const opened: OpenStorage[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  rmSync(folder, { recursive: true })
})

async function open(): Promise<OpenStorage> {
  const storage = sqlite({ file: join(folder, 'gateleg.db') })
  const one = await storage.open({ onCommit: () => undefined })
  opened.push(one)
  return one
}

async function close(one: OpenStorage): Promise<void> {
  opened.splice(opened.indexOf(one), 1)
  await one.close()
}

const begin = ({ store }: OpenStorage) =>
  store.write(({ jobs }) => jobs.claim({ now, farthest: '9999', leaseUntil: later, claim: 'c' }))

test('[JOB-10] a job is free at the next start, after a second death only when its pause is over', async () => {
  const first = await open()
  await first.store.write(({ jobs }) =>
    jobs.ensure({ id: 'one', kind: 'some', dueTime: now, failures: 0 }),
  )
  expect(await begin(first)).toMatchObject({ attempts: 1 })
  expect(await begin(first)).toBeUndefined()
  await close(first)
  const second = await open()
  expect(await begin(second)).toMatchObject({ attempts: 2 })
  await close(second)
  expect(await begin(await open())).toBeUndefined()
})
