import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { jobKinds } from '@gateleg/domain/job-kinds'
import { runNextJob } from '@gateleg/domain/jobs/run-next-job'
import type { Storage, Store } from '@gateleg/domain/store'
import { openEngine } from '@gateleg/engine/open-engine'
import { RandomIds } from '@gateleg/engine/platform/random-ids'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { testPassword } from '@gateleg/testing/worlds/world'
import { describe, expect, test } from 'vitest'
import { giveBackSchema, onSchema, takeSchema } from './fresh-postgres.ts'
import { isOn } from './storages.ts'

/** Storages that outlive those who open them, each with what takes it away. */
const storages = {
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
    const storage = sqlite({ file: join(folder, 'data.sqlite') })
    return { storage, remove: () => rmSync(folder, { recursive: true }) }
  },
  postgres: async () => {
    const schema = await takeSchema()
    return { storage: onSchema(schema), remove: () => giveBackSchema(schema) }
  },
}

describe.each(['sqlite', 'postgres'] as const)('pending fields on %s', (name) => {
  test.runIf(isOn(name))('[CALC-29] are worked out by those who come later', async () => {
    const { storage, remove } = await storages[name]()
    await withLimits({ recordsCalculated: 3, ...recordsPerSlice(2) }, async () => {
      const { userId, tableId } = await leavePending(storage)
      // Those that come again and again are first, and then the first part of the calculation.
      const recurring = [...jobKinds.values()].filter(({ isRecurring }) => isRecurring)
      await work(storage, recurring.length + 1)
      const half = await readFields(storage, userId, tableId)
      expect(half.isPending).toBe(true)
      expect(half.cells.slice(0, 2)).toEqual([2, 4])
      expect(half.cells.at(-1)).toBeNull()
      await work(storage)
      const done = await readFields(storage, userId, tableId)
      expect(done).toEqual({ isPending: false, cells: [2, 4, 6, 8, 10] })
    })
    remove()
  })
})

/** Makes a table with a field that there are too many records for, and leaves. */
async function leavePending(storage: Storage) {
  const engine = await openEngine({ storage, jobs: false })
  const email = 'ada@example.com'
  const { id: userId } = await engine.public.accounts.signUp({ email, password: testPassword })
  const api = engine.as({ userId })
  const [space] = await api.spaces.listSpaces({})
  const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '' })
  const { id: tableId } = await api.tables.createTable({
    baseId,
    fields: [{ type: 'number', name: 'Count' }],
    records: [1, 2, 3, 4, 5].map((Count) => ({ fields: { Count } })),
  })
  const options = { expression: '{Count} * 2' }
  const field = await api.fields.createField({ tableId, type: 'formula', name: 'Twice', options })
  expect(field.isPending).toBe(true)
  await engine.close()
  return { userId, tableId }
}

/** Opens the storage anew and does what is due, so many jobs at most. */
async function work(storage: Storage, most = Number.POSITIVE_INFINITY): Promise<void> {
  const { store, close } = await openStore(storage)
  const ports = { store, clock: { now: () => Date.now() }, ids: new RandomIds() }
  const fail = (error: unknown) => {
    throw error
  }
  let done = 0
  while (done < most && (await runNextJob(ports, jobKinds, fail))) done++
  await close()
}

async function openStore(storage: Storage): Promise<{ store: Store; close(): Promise<void> }> {
  const opened = await storage.open({ onCommit: () => {} })
  return { store: opened.store, close: () => opened.close() }
}

async function readFields(storage: Storage, userId: string, tableId: string) {
  const engine = await openEngine({ storage, jobs: false })
  const api = engine.as({ userId })
  const fields = await api.fields.listFields({ tableId })
  const { records } = await api.records.listRecords({ tableId })
  await engine.close()
  return {
    isPending: fields[1]?.isPending ?? false,
    cells: records.map((record) => record.fields.Twice ?? null),
  }
}
