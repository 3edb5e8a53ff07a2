import { postgres } from '@gateleg/adapters-postgres/postgres'
import type { Engine } from '@gateleg/engine/engine'
import { openEngine } from '@gateleg/engine/open-engine'
import { sendRequest } from '@gateleg/testing/http/send-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, makeDatabase } from '../../../../test/fresh-database.ts'
import { isOn } from '../../../../test/storages.ts'
import { createHttpApp } from '../create-http-app.ts'
import { type HttpServer, listen } from '../http-server.ts'

describe.runIf(isOn('postgres'))('servers of one database', () => {
  const perSecond = 20
  const serverCount = 4
  let database: FreshDatabase
  const engines: Engine[] = []
  const servers: HttpServer[] = []
  let headers: { readonly Authorization: string }

  beforeAll(async () => {
    database = await makeDatabase()
    const storage = postgres({ connectionString: database.connectionString })
    for (let index = 0; index < serverCount; index++) {
      const engine = await openEngine({ storage, jobs: false })
      const app = createHttpApp(engine, {
        logger: { info: () => {}, error: () => {} },
        callLimits: { perSecond },
      })
      engines.push(engine)
      servers.push(await listen({ app, host: '127.0.0.1', port: 0 }))
    }
    const ada = { email: 'ada@example.com', password: 'correct horse 1' }
    const session = await engines[0]?.public.accounts.signUp(ada)
    headers = { Authorization: `Bearer ${session?.accessToken}` }
  })
  afterAll(async () => {
    for (const server of servers) await server.close(0)
    for (const engine of engines) await engine.close()
    await database.drop()
  })

  test('[HTTP-241] let a flood through as one does, give or take a tenth of each', async () => {
    const startMs = performance.now()
    const answers = await Promise.all(
      servers.flatMap(({ url }) =>
        Array.from({ length: 2 * perSecond }, () =>
          sendRequest(url, { method: 'GET', path: '/api/space', headers }),
        ),
      ),
    )
    const seconds = Math.ceil((performance.now() - startMs) / 1_000)
    const granted = answers.filter(({ status }) => status === 200).length
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
    // A slow machine may need several seconds, each with calls of its own.
    expect(granted).toBeLessThanOrEqual((seconds + 1) * (1 + serverCount / 10) * perSecond)
    expect(granted).toBeGreaterThanOrEqual(perSecond)
  })
})
