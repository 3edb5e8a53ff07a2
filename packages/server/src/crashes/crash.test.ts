import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findDamage } from '@gateleg/adapters-sqlite/file/find-damage'
import type { Api } from '@gateleg/domain/api'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createBatch,
  createBatchTable,
  expectWholeBatches,
} from '../../../../test/record-batches.ts'
import { type ServerProcess, startServer } from '../../../../test/server-process.ts'

/** One life of the server: what is written, and when it is killed. */
interface Life {
  /** Records of each request; several writers take them in turn, again and again. */
  readonly batchSizes: readonly number[]
  /** Answers after which the server has not long to live. */
  readonly answers: number
  readonly moreMs: number
}

const lives = 20
const writers = 8

let folder: string
let server: ServerProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(async () => {
  await kill()
  rmSync(folder, { recursive: true })
})

const life: fc.Arbitrary<Life> = fc.record({
  batchSizes: fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 60 })), { minLength: 5 }),
  answers: fc.nat(80),
  moreMs: fc.nat(8),
})

test('[SERVER-11] a server that is killed never loses what it answered, nor keeps half of a request', async () => {
  const plans = fc.array(life, { minLength: lives, maxLength: lives })
  await fc.assert(fc.asyncProperty(plans, liveAndDie), { numRuns: 1, endOnFailure: true })
}, 180_000)

async function liveAndDie(plans: readonly Life[]): Promise<void> {
  const first = await start()
  const { accessToken } = await first.api().accounts.signUp({
    email: 'ada@example.com',
    password: 'still here 1',
  })
  const tableId = await createBatchTable(first.api(accessToken))
  await kill()

  const acknowledged = new Map<string, readonly string[]>()
  for (const [index, plan] of plans.entries()) {
    const api = (await start()).api(accessToken)
    await expectWholeBatches(api, tableId, acknowledged)
    await writeUntilKilled(api, tableId, { ...plan, name: `life ${index}` }, acknowledged)
    expect(findDamage(join(folder, 'gateleg.db'))).toEqual([])
  }
  const last = (await start()).api(accessToken)
  await expectWholeBatches(last, tableId, acknowledged)
  expect(acknowledged.size).toBeGreaterThan(lives)
}

/** Writes with several requests at a time, and kills the server in the middle of it. */
async function writeUntilKilled(
  api: Api,
  tableId: string,
  { batchSizes, answers, moreMs, name }: Life & { readonly name: string },
  acknowledged: Map<string, readonly string[]>,
): Promise<void> {
  const answersWanted = acknowledged.size + answers
  let requests = 0
  let death: Promise<void> | undefined
  const write = async () => {
    while (server) {
      const batch = { name: `${name}, request ${requests}`, size: sizeAt(batchSizes, requests++) }
      try {
        acknowledged.set(batch.name, await createBatch(api, tableId, batch))
      } catch (error) {
        // Killed before it answered.
        if (server) throw error
      }
      if (acknowledged.size >= answersWanted) death ??= pause(moreMs).then(kill)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  await death
}

function sizeAt(batchSizes: readonly number[], index: number): number {
  return batchSizes[index % batchSizes.length] ?? 1
}

async function start(): Promise<ServerProcess> {
  server = await startServer({ DATA_DIR: folder })
  return server
}

async function kill(): Promise<void> {
  const dying = server
  server = undefined
  await dying?.kill()
}
