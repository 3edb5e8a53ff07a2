import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findDamage } from '@gateleg/adapters-sqlite/find-damage'
import { createClient } from '@gateleg/contract/client'
import type { Api } from '@gateleg/domain/api'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** One life of the server: what is written, and when it is killed. */
interface Life {
  /** Records of each request; several writers take them in turn, again and again. */
  readonly batchSizes: readonly number[]
  /** Answers after which the server has not long to live. */
  readonly answers: number
  readonly moreMs: number
}

/** Records that one request created, as they must be found again. */
interface Batch {
  readonly name: string
  readonly size: number
}

const lives = 20
const writers = 8

let folder: string
let child: ChildProcess | undefined

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
  const first = await startServer()
  const { accessToken } = await first().accounts.signUp({
    email: 'ada@example.com',
    password: 'still here 1',
  })
  const tableId = await createTable(first(accessToken))
  await kill()

  const acknowledged = new Map<string, readonly string[]>()
  for (const [index, plan] of plans.entries()) {
    const api = (await startServer())(accessToken)
    await checkRecords(await readAll(api, tableId), acknowledged)
    await writeUntilKilled(api, tableId, { ...plan, name: `life ${index}` }, acknowledged)
    expect(findDamage(join(folder, 'gateleg.db'))).toEqual([])
  }
  const last = (await startServer())(accessToken)
  await checkRecords(await readAll(last, tableId), acknowledged)
  expect(acknowledged.size).toBeGreaterThan(lives)
}

async function createTable(api: Api): Promise<string> {
  const [space] = await api.spaces.listSpaces({})
  const base = await api.bases.createBase({ spaceId: space?.id ?? '' })
  const table = await api.tables.createTable({
    baseId: base.id,
    fields: [
      { name: 'Batch', type: 'singleLineText' },
      { name: 'Size', type: 'number' },
      { name: 'Place', type: 'number' },
    ],
    records: [],
  })
  return table.id
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
    while (child) {
      const batch = { name: `${name}, request ${requests}`, size: sizeAt(batchSizes, requests++) }
      const ids = await createBatch(api, tableId, batch)
      if (ids) acknowledged.set(batch.name, ids)
      if (acknowledged.size >= answersWanted) death ??= pause(moreMs).then(kill)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  await death
}

/** The ids of the records; undefined when the server was killed before it answered. */
async function createBatch(api: Api, tableId: string, batch: Batch) {
  try {
    const { records } = await api.records.createRecords({ tableId, records: recordsOf(batch) })
    return records.map(({ id }) => id)
  } catch (error) {
    if (child) throw error
    return undefined
  }
}

function sizeAt(batchSizes: readonly number[], index: number): number {
  return batchSizes[index % batchSizes.length] ?? 1
}

function recordsOf({ name, size }: Batch) {
  return Array.from({ length: size }, (_, place) => ({
    fields: { Batch: name, Size: size, Place: place },
  }))
}

interface Found {
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
}

async function readAll(api: Api, tableId: string): Promise<readonly Found[]> {
  const all: Found[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await api.records.listRecords({ tableId, take: 2_000, cursor })
    all.push(...page.records)
    if (page.nextCursor === null) return all
    cursor = page.nextCursor
  }
}

function checkRecords(
  records: readonly Found[],
  acknowledged: ReadonlyMap<string, readonly string[]>,
): void {
  const batches = Map.groupBy(records, ({ fields }) => String(fields.Batch))
  for (const [name, found] of batches) {
    const size = found[0]?.fields.Size as number
    expect(found.map(({ fields }) => fields)).toEqual(
      recordsOf({ name, size }).map(({ fields }) => fields),
    )
  }
  for (const [name, ids] of acknowledged) {
    expect(batches.get(name)?.map(({ id }) => id)).toEqual(ids)
  }
}

/** Starts the server on the folder; returns a way to call it as somebody. */
async function startServer(): Promise<(token?: string) => Api> {
  const program = join(import.meta.dirname, 'main.ts')
  const started = spawn(process.execPath, [program], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  child = started
  let output = ''
  started.stderr.setEncoding('utf8')
  for await (const text of started.stderr.iterator({ destroyOnReturn: false })) {
    output += text
    const url = /http:\/\/[\d.]+:\d+/.exec(output)?.[0]
    if (url === undefined) continue
    started.stderr.resume()
    return (token) => createClient({ baseUrl: `${url}/api`, ...(token && { token }) })
  }
  throw new Error(`The server did not start: ${output}`)
}

async function kill(): Promise<void> {
  const dying = child
  child = undefined
  if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
  const ended = once(dying, 'exit')
  dying.kill('SIGKILL')
  await ended
}
