import { connect } from 'node:net'
import { DomainError } from '@gateleg/domain/errors'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { sendRequest } from '@gateleg/testing/http/send-request'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { testPassword } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHttpApp, type ServedEngine } from './create-http-app.ts'
import { listen } from './http-server.ts'

/** An engine that fails in the given way, for what no real one does when told to. */
function failingEngine(error: Error): ServedEngine {
  return {
    authenticate: async () => ({ kind: 'user', userId: 'usr1' }),
    call: () => Promise.reject(error),
    isHealthy: async () => true,
    giveWay: async () => undefined,
  }
}

async function serveFailing(error: Error) {
  const lines: object[] = []
  const log = (fields: object) => lines.push(fields)
  const app = createHttpApp(failingEngine(error), { logger: { info: log, error: log } })
  const server = await listen({ app, host: '127.0.0.1', port: 0 })
  const headers = { Authorization: 'Bearer token' }
  const send = (path: string) => sendRequest(server.url, { method: 'GET', path, headers })
  return { send, lines, close: () => server.close(0) }
}

test('[HTTP-400] an answer is in UTF-8, of the length that it says, whatever its characters', async () => {
  for (const text of ['plain', 'é', 'ÿ and plain', '日本', '😀', '\u2028']) {
    const { send, close } = await serveFailing(new DomainError('conflict', text))
    const answer = await send('/api/space')
    expect(answer.json()).toMatchObject({ message: text })
    expect(answer.headers['content-length']).toBe(`${Buffer.byteLength(answer.text)}`)
    await close()
  }
})

test('[HTTP-21] tells an incident id, which the log has too, and nothing of the cause', async () => {
  const error = new Error('SELECT secret FROM users; /etc/passwd')
  const { send, lines, close } = await serveFailing(error)
  const answer = await send('/api/space')
  const { data, ...envelope } = answer.json() as { data: { incidentId: string } }
  expect(envelope).toMatchObject({ status: 500, code: 'internal_server_error' })
  expect(data.incidentId).toMatch(/^inc\w{16}$/)
  expect(answer.text).not.toMatch(/SELECT|passwd|Error/)
  expect(lines[0]).toMatchObject({ incidentId: data.incidentId, err: error })
  await close()
})

test('[HTTP-22] says when to try again where the storage is out of reach', async () => {
  const failure = new DomainError('database_connection_unavailable', 'x', { retryAfterSeconds: 7 })
  const { send, close } = await serveFailing(failure)
  const answer = await send('/api/space')
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '7'])
  await close()
})

test('[HTTP-40] has the cause of a failure of the database, the disk or the mail server in the log alone', async () => {
  const failures = [
    ['database_connection_unavailable', 503, 'ECONNREFUSED'],
    ['insufficient_storage', 507, 'SQLITE_FULL'],
    ['failed_dependency', 424, 'ECONNECTION'],
  ] as const
  for (const [code, status, causeCode] of failures) {
    const failure = new DomainError(code, 'It failed')
    const driver = Object.assign(new Error(`disk /var/lib ${causeCode}`), { code: causeCode })
    failure.cause = new Error('what the storage says', { cause: driver })
    const { send, lines, close } = await serveFailing(failure)
    const answer = await send('/api/space')
    expect(answer.status).toBe(status)
    expect(answer.text).not.toMatch(/var|storage says/)
    expect(lines[0]).toMatchObject({ status, code, causeCode, err: failure.cause })
    await close()
  }
})

test('[HTTP-40] has the cause of a failing health check in the log', async () => {
  const lines: object[] = []
  const log = (fields: object) => lines.push(fields)
  const cause = Object.assign(new Error('gone'), { code: '57P01' })
  const isHealthy: ServedEngine['isHealthy'] = async (onFailure) => {
    onFailure?.(cause)
    return false
  }
  const engine = { ...failingEngine(cause), isHealthy }
  const app = createHttpApp(engine, { logger: { info: log, error: log } })
  const server = await listen({ app, host: '127.0.0.1', port: 0 })
  const answer = await sendRequest(server.url, { method: 'GET', path: '/health' })
  expect(answer.status).toBe(503)
  expect(lines[0]).toMatchObject({ status: 503, causeCode: '57P01', err: cause })
  await server.close(0)
})

describeOnEveryStorage('around the operations', (storage) => {
  let world: HttpWorld
  let lines: object[]

  beforeEach(async () => {
    lines = []
    world = await openHttpWorld(storage, { onLog: (fields) => lines.push(fields) })
  })
  afterEach(() => world.close())

  const get = (path: string) => world.send({ method: 'GET', path })

  test('[HTTP-27] answers 200 when the storage can be read, and to no other method', async () => {
    expect((await get('/health')).json()).toEqual({ status: 'ok' })
    expect((await get('/health?x=1')).status).toBe(200)
    const answer = await world.send({ method: 'POST', path: '/health' })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('[HTTP-27] answers 503 when the storage can not be read', async () => {
    await world.engine.close()
    const answer = await get('/health')
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
  })

  test('[HTTP-27] looks at the storage once for all who ask at about the same time', async () => {
    await withLimits({ healthSharedMs: 60_000 }, async () => {
      expect((await get('/health')).status).toBe(200)
      await world.engine.close()
      const answers = await Promise.all([get('/health'), get('/health')])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    })
    await withLimits({ healthSharedMs: 0 }, async () => {
      expect((await get('/health')).status).toBe(503)
    })
  })

  test('[HTTP-28] describes the operations', async () => {
    const document = (await get('/openapi.json')).json()
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: './api' }],
      paths: { '/space/{spaceId}': { get: { operationId: 'spaces.getSpace' } } },
    })
  })

  test('[HTTP-29] shows a page that names only files of its own, and runs no inline script', async () => {
    const page = await get('/docs')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '')
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) expect([file, (await get(`/${file}`)).status]).toEqual([file, 200])
    expect(page.text).not.toMatch(/<script>|<style|https?:| on\w+=/)
    const moved = await get('/docs/')
    expect([moved.status, moved.headers.location]).toEqual([301, '../docs'])
  })

  test('[HTTP-29] serves nothing else of the package that the page is made of', async () => {
    for (const name of [
      'package.json',
      'index.html',
      'swagger-initializer.js',
      '..%2Fpackage.json',
    ]) {
      expect([name, (await get(`/docs/${name}`)).status]).toEqual([name, 404])
    }
    expect((await world.send({ method: 'POST', path: '/docs' })).status).toBe(404)
  })

  test('[HTTP-29] answers a range or condition that a file can not meet, without an incident', async () => {
    const path = '/docs/swagger-ui.css'
    const ask = (headers: Record<string, string>) => world.send({ method: 'GET', path, headers })
    const whole = await ask({})
    const beyond = await ask({ Range: 'bytes=99999999-' })
    expect(beyond.json()).toMatchObject({ status: 416, code: 'range_not_satisfiable' })
    expect(beyond.headers['content-range']).toBe(`bytes */${whole.headers['content-length']}`)
    for (const headers of [
      { 'If-Match': '"another"' },
      { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ]) {
      const answer = await ask(headers)
      expect(answer.json()).toMatchObject({ status: 412, code: 'precondition_failed' })
      expect(answer.headers.etag).toBeUndefined()
    }
    const part = await ask({ Range: 'bytes=0-9' })
    expect([part.status, part.text]).toEqual([206, whole.text.slice(0, 10)])
    expect(lines).toHaveLength(5)
  })

  test('[HTTP-29] answers so for the pages of plugins, too', async () => {
    // Others may frame them.
    const ask = (headers: Record<string, string>) =>
      fetch(`${world.url}/plugins/chart`, { headers })
    for (const [headers, status, code] of [
      [{ 'If-Match': '"another"' }, 412, 'precondition_failed'],
      [{ 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412, 'precondition_failed'],
      [{ Range: 'bytes=99999999-' }, 416, 'range_not_satisfiable'],
    ] as const) {
      expect(await (await ask(headers)).json()).toMatchObject({ status, code })
    }
    expect((await ask({})).status).toBe(200)
  })

  test('[HTTP-34] says to programs and to browsers what this is', async () => {
    const forPrograms = await get('/')
    expect(forPrograms.json()).toEqual({
      name: 'Gateleg',
      description: 'A workspace of bases, tables, fields, records and views over HTTP',
      docs: 'docs',
      openapi: 'openapi.json',
      api: 'api',
      health: 'health',
    })
    const accept = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const page = await world.send({ method: 'GET', path: '/', headers: accept })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers.vary).toContain('Accept')
    const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link ?? '')
    expect(links).toContain('docs')
    for (const link of links) expect([link, (await get(`/${link}`)).status]).toEqual([link, 200])
    const refused = await world.send({ method: 'POST', path: '/' })
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('[HTTP-51] has no icon, and no error for who asks', async () => {
    const answer = await get('/favicon.ico')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers['content-length']).toBeUndefined()
    expect(lines).toMatchObject([{ route: '/favicon.ico', status: 204 }])
  })

  test('[HTTP-34] leads to the public address where there is one', async () => {
    for (const publicUrl of ['https://work.example/tools', 'https://work.example/tools/']) {
      const there = await openHttpWorld(storage, { publicUrl })
      const answer = await there.send({ method: 'GET', path: '/' })
      expect(answer.json()).toMatchObject({ docs: 'https://work.example/tools/docs' })
      await there.close()
    }
  })

  test('[HTTP-55] takes a public URL with a slash at its end as one without', async () => {
    const there = await openHttpWorld(storage, { publicUrl: 'https://work.example/' })
    const answer = await there.send({ method: 'GET', path: '/openapi.json' })
    expect(answer.json()).toMatchObject({ servers: [{ url: 'https://work.example/api' }] })
    await there.close()
  })

  test('[HTTP-30] writes one line for a request, with nothing in it that is secret', async () => {
    const ada = await world.newPerson('Ada')
    const secret = 'name-of-a-secret-plan'
    const answer = await world.sendAs(ada, {
      method: 'PATCH',
      path: `/api/space/${ada.spaceId}?token=${secret}`,
      body: { name: secret },
      headers: { Cookie: `gateleg_session=${ada.accessToken}`, 'X-Secret': secret },
    })
    expect(lines).toEqual([
      {
        requestId: answer.headers['x-request-id'],
        method: 'PATCH',
        route: '/space/{spaceId}',
        status: 200,
        ms: expect.any(Number),
        userId: ada.userId,
        message: 'request',
      },
    ])
  })

  test('[HTTP-30] writes the line of callers who went away before they were answered', async () => {
    const { accessToken } = await world.newPerson('Ada')
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /api/space HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${accessToken}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":',
      )
      setTimeout(() => socket.resetAndDestroy(), 100)
    })
    await vi.waitFor(() => expect(lines).toMatchObject([{ route: '/space', status: 499 }]), 10_000)
  })

  test('[HTTP-30] writes the line of refusals and of pages too', async () => {
    const body = { email: 'nobody@example.com', password: testPassword }
    await world.send({ method: 'POST', path: '/api/auth/signin', body })
    await get('/nothing?secret')
    await get('/docs')
    expect(lines).toMatchObject([
      { route: '/auth/signin', status: 400, userId: undefined },
      { route: undefined, status: 404 },
      { route: '/docs', status: 200 },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/secret|nobody/)
  })
})
