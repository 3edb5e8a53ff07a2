import { setTimeout as pause } from 'node:timers/promises'
import { DomainError } from '@gateleg/domain/errors'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedServer, startEmbeddedServer } from '../../../../test/embedded-server.ts'
import {
  createBatch,
  createBatchTable,
  expectWholeBatches,
} from '../../../../test/record-batches.ts'
import { type ServerProcess, startServer } from '../../../../test/server-process.ts'
import { isOn } from '../../../../test/storages.ts'

const writersPerServer = 8
const recordsMax = 40

/** Milliseconds in which any request must be answered, however the storage fares. */
const hangMs = 30_000

/** Milliseconds for a test: servers and databases that start take some, more on a slow machine. */
const timeout = 180_000

/** Milliseconds between two requests of a writer that was refused: it does as Retry-After says, in short. */
const retryMs = 100

/** An answer that says that the storage is out of reach. */
interface Refusal {
  readonly status: number
  readonly retryAfter: string | null
}

describe.runIf(isOn('postgres'))('two servers on one PostgreSQL', () => {
  let database: EmbeddedServer
  let servers: readonly [ServerProcess, ServerProcess]
  let token: string
  let tableId: string
  let acknowledged: Map<string, readonly string[]>
  let refusals: Refusal[]
  let isWriting: boolean

  beforeEach(async () => {
    acknowledged = new Map()
    refusals = []
    isWriting = true
    // Every setting that keeps what was committed is as a server comes: on.
    database = await startEmbeddedServer({ max_connections: '50' })
    servers = await Promise.all([start(), start()])
    const user = await servers[0].api().accounts.signUp({
      email: 'ada@example.com',
      password: 'still here 1',
    })
    token = user.accessToken
    tableId = await createBatchTable(servers[0].api(token))
  })

  afterEach(async () => {
    isWriting = false
    for (const server of servers) await server.kill()
    await database.stop()
  })

  const start = () => startServer({ DATABASE_URL: database.connectionString })

  /** Notes the answers that say 503; a request that hangs is an error of its own. */
  const watchingFetch: typeof fetch = async (url, options) => {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(hangMs) })
    const { status, headers } = response
    if (status >= 500) refusals.push({ status, retryAfter: headers.get('Retry-After') })
    return response
  }

  /** Writes batch after batch through one server until it is dead or nobody writes any more. */
  async function write(server: ServerProcess, writer: string): Promise<void> {
    const api = server.api(token, watchingFetch)
    for (let count = 0; isWriting && server.isAlive(); count++) {
      const batch = { name: `${writer}, ${count}`, size: 1 + ((count * 7) % recordsMax) }
      try {
        acknowledged.set(batch.name, await createBatch(api, tableId, batch))
      } catch (error) {
        if (!server.isAlive()) return
        if (!(error instanceof DomainError)) throw error
        expect(error.code).toBe('database_connection_unavailable')
        await pause(retryMs)
      }
    }
  }

  function startWriting(): Promise<unknown> {
    const writers = servers.flatMap((server, place) =>
      Array.from({ length: writersPerServer }, (_, index) =>
        write(server, `server ${place}, writer ${index}`),
      ),
    )
    return Promise.all(writers)
  }

  const acknowledgedBy = (place: number) =>
    [...acknowledged.keys()].filter((name) => name.startsWith(`server ${place},`)).length

  /** Waits until the server has answered so many more writes, unless the writing fails before. */
  async function writesMore(place: number, count: number, writing: Promise<unknown>) {
    const wanted = acknowledgedBy(place) + count
    const reached = async () => {
      const end = performance.now() + hangMs
      while (acknowledgedBy(place) < wanted) {
        if (performance.now() > end) throw new Error(`server ${place} writes no more`)
        await pause(10)
      }
    }
    await Promise.race([reached(), writing.then(() => reached())])
  }

  const health = (server: ServerProcess) => watchingFetch(`${server.url}/health`)

  test(
    '[SERVER-14] one that is killed loses nothing that it answered, and the other goes on',
    async () => {
      const writing = startWriting()
      await writesMore(0, 40, writing)
      await servers[0].kill()
      await writesMore(1, 40, writing)
      isWriting = false
      await writing
      expect(refusals).toEqual([])
      expect(servers[1].log()).toBe('')
      const third = await start()
      for (const server of [servers[1], third]) {
        await expectWholeBatches(server.api(token), tableId, acknowledged)
      }
      await third.kill()
    },
    timeout,
  )

  test(
    '[SERVER-15] [SERVER-31] a database that is killed is answered with 503 and Retry-After, loses nothing, and is found again',
    async () => {
      const writing = startWriting()
      for (let times = 1; times <= 3; times++) {
        await writesMore(0, 20, writing)
        refusals = []
        await database.kill()
        // Every writer of both has been refused, many of them in the middle of a write.
        while (refusals.length < 4 * writersPerServer) await pause(10)
        for (const server of servers) expect((await health(server)).status).toBe(503)
        expect(refusals.filter(({ status }) => status !== 503)).toEqual([])
        expect(refusals.filter(({ retryAfter }) => !Number(retryAfter))).toEqual([])
        await database.restart()
        for (const place of [0, 1]) await writesMore(place, 10, writing)
        for (const server of servers) expect((await health(server)).status).toBe(200)
      }
      isWriting = false
      await writing
      for (const server of servers) {
        await expectWholeBatches(server.api(token), tableId, acknowledged)
        expect(server.log()).not.toContain('incident')
        expect(server.log()).toMatch(/"causeCode":"(ECONNREFUSED|ECONNRESET|57P\d\d)"/)
        expect(server.log()).not.toMatch(/(connect ECONNREFUSED [^"\n]+): \1/)
      }
    },
    timeout,
  )
})
