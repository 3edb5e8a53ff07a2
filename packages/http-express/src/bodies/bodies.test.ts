import { connect, type Socket } from 'node:net'
import { limits } from '@gateleg/domain/limits'
import { sendRequest } from '@gateleg/testing/http/send-request'
import { afterEach, expect, test } from 'vitest'
import { createHttpApp, type ServedEngine } from '../create-http-app.ts'
import { type HttpServer, listen } from '../http-server.ts'
import type { BodyLimits } from './body-reader.ts'

let server: HttpServer
let sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await server.close(0)
})

type Call = ServedEngine['call']

/** Serves an engine that knows one token and whose calls do what the test says. */
async function serve(
  bodies: Partial<BodyLimits>,
  call: Call = async () => undefined,
  giveWay = async () => {},
) {
  const engine: ServedEngine = {
    authenticate: async (credential) =>
      /^good/.test(credential) ? { kind: 'user', userId: `usr${credential}` } : undefined,
    call,
    isHealthy: async () => true,
    giveWay,
  }
  const app = createHttpApp(engine, { bodies, logger: { info: () => {}, error: () => {} } })
  server = await listen({ app, host: '127.0.0.1', port: 0, asksForBodies: true })
}

/** A connection that has sent the bytes; what it answers, and whether it was closed from over there. */
function open(bytes: string) {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  sockets.push(socket)
  let text = ''
  const answered = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk
      resolve(text)
    })
  })
  socket.on('error', () => {})
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  return { socket, answered, closed }
}

function head(path: string, token: string, ...headers: string[]): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

const long = `Content-Length: ${1024 * 1024}`

test('[HTTP-35] refuses a large body where no credentials are needed, before any of it has come', async () => {
  await serve({})
  const length = `Content-Length: ${limits.publicBodyBytes + 1}`
  const { answered } = open(head('/api/auth/signin', 'good', length))
  expect(await answered).toMatch(/^HTTP\/1\.1 413 .*"code":"payload_too_large"/s)
  expect(await answered).toContain('The body may have 65536 bytes at most here"')
})

test('[HTTP-35] refuses a body there that turns out to be large', async () => {
  await serve({})
  const request = {
    method: 'POST',
    path: '/api/auth/signup',
    headers: { 'Transfer-Encoding': 'chunked' },
    body: Buffer.alloc(limits.publicBodyBytes + 1, ' '),
  }
  expect((await sendRequest(server.url, request)).status).toBe(413)
})

test('[HTTP-11] answers a bad token without waiting for the body, and cuts off what has no end', async () => {
  await serve({ refusedMs: 50, lookMs: 10 })
  const { answered, closed } = open(head('/api/space', 'bad', long))
  expect(await answered).toMatch(/^HTTP\/1\.1 401 /)
  await closed
})

test('[HTTP-35] does not ask for a body that it refuses', async () => {
  await serve({})
  const expecting = 'Expect: 100-continue'
  const refused = open(head('/api/space', 'bad', long, expecting))
  expect(await refused.answered).toMatch(/^HTTP\/1\.1 401 /)
  const taken = open(head('/api/space', 'good', 'Content-Length: 2', expecting))
  expect(await taken.answered).toMatch(/^HTTP\/1\.1 100 Continue/)
  taken.socket.write('{}')
  await expect.poll(() => taken.socket.bytesRead).toBeGreaterThan(100)
})

test('[HTTP-36] refuses bodies beyond the budget of all requests, and takes them when others are done', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let calls = 0
  await serve({ bytesAtOnce: 1_000_000 }, async () => {
    calls++
    await released
  })
  const post = (length: number, path = '/api/space') =>
    sendRequest(server.url, {
      method: 'POST',
      path,
      headers: { Authorization: 'Bearer good' },
      body: `{"name":"${'x'.repeat(length)}"}`,
    })
  const first = post(600_000)
  await expect.poll(() => calls).toBe(1)
  const refused = await post(600_000)
  expect(refused.json()).toMatchObject({ status: 503, code: 'service_busy' })
  expect(refused.headers['retry-after']).toBe('5')
  // A quarter of the budget is for small bodies alone.
  expect((await post(150_000)).status).toBe(503)
  const small = post(60_000)
  await expect.poll(() => calls).toBe(2)
  release()
  await Promise.all([first, small])
  expect((await post(600_000)).status).toBe(201)
})

test('[HTTP-47] holds each caller to a part of the budget, or one body, large ones and small ones by themselves', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let calls = 0
  await serve({ bytesAtOnce: 4_000_000 }, async () => {
    calls++
    await released
  })
  const post = (token: string, length: number) =>
    sendRequest(server.url, {
      method: 'POST',
      path: '/api/space',
      headers: { Authorization: `Bearer ${token}` },
      body: `{"name":"${'x'.repeat(length)}"}`,
    })
  const under = [post('good1', 1_200_000)]
  await expect.poll(() => calls).toBe(1)
  expect((await post('good1', 100_000)).json()).toMatchObject({ status: 503, code: 'service_busy' })
  // A quarter of the quarter that small ones have: 250,000 bytes.
  under.push(...[1, 2, 3, 4].map(() => post('good1', 60_000)))
  await expect.poll(() => calls).toBe(5)
  expect((await post('good1', 60_000)).status).toBe(503)
  // A quarter of the three quarters that large ones have: 750,000 bytes.
  under.push(post('good2', 300_000), post('good2', 300_000), post('good3', 60_000))
  await expect.poll(() => calls).toBe(8)
  expect((await post('good2', 300_000)).status).toBe(503)
  release()
  expect((await Promise.all(under)).map(({ status }) => status)).toEqual(Array(8).fill(201))
  expect((await post('good1', 1_200_000)).status).toBe(201)
})

test('[HTTP-63] a body that has not come whole makes room for those of others, and is answered 503', async () => {
  await serve({ bytesAtOnce: 1_000_000 })
  const begun = ['good1', 'good2'].map((token) => {
    const body = `{"name":"${'x'.repeat(360_000)}`
    return open(head('/api/space', token, 'Content-Length: 700000') + body)
  })
  const post = () =>
    sendRequest(server.url, {
      method: 'POST',
      path: '/api/space',
      headers: { Authorization: 'Bearer good3' },
      body: `{"name":"${'x'.repeat(100_000)}"}`,
    })
  for (let times = 0; times < 20; times++) expect((await post()).status).toBe(201)
  const refused = await Promise.race(begun.map(({ answered }) => answered))
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*"code":"service_busy"/s)
})

test('[HTTP-36] gives back what bodies took that were refused, malformed or given up', async () => {
  await serve({ bytesAtOnce: 1_000_000 })
  const headers = { Authorization: 'Bearer good' }
  const post = (body: string) =>
    sendRequest(server.url, { method: 'POST', path: '/api/space', headers, body })
  for (let round = 0; round < 3; round++) {
    expect((await post(`{"name":"${'x'.repeat(700_000)}`)).status).toBe(400)
    expect((await post(`{"name":"${'x'.repeat(800_000)}"}`)).status).toBe(413)
    const { socket, closed } = open(head('/api/space', 'good', long) + 'x'.repeat(700_000))
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(700_000)
    socket.resetAndDestroy()
    await closed
  }
  await expect.poll(async () => (await post(`{"name":"${'x'.repeat(700_000)}"}`)).status).toBe(201)
})

test('[HTTP-36] counts the values of a body, not its bytes alone', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let calls = 0
  await serve({ bytesAtOnce: 6_000_000 }, async () => {
    calls++
    await released
  })
  const post = () =>
    sendRequest(server.url, {
      method: 'POST',
      path: '/api/space',
      headers: { Authorization: 'Bearer good' },
      body: `{"x":[${'{},'.repeat(20_000)}{}]}`,
    })
  const first = post()
  await expect.poll(() => calls).toBe(1)
  expect((await post()).status).toBe(503)
  release()
  expect((await first).status).toBe(201)
})

test('[HTTP-36] counts names and what they name, in a large body and in a small one', async () => {
  await serve({ bytesAtOnce: 1_600_000 })
  const headers = { Authorization: 'Bearer good' }
  const post = async (body: string) => {
    const answer = await sendRequest(server.url, {
      method: 'POST',
      path: '/api/space',
      headers,
      body,
    })
    return answer.status
  }
  const long = 'x'.repeat(700_000)
  expect(await post(`{"a":"${long}"}`)).toBe(201)
  expect(await post(`{"${long}":1}`)).toBe(413)
  const members = (value: string) => Array.from({ length: 1_000 }, (_, n) => `"k${n}":${value}`)
  const lists = (value: string) => `{"x":[${`{${members(value)}},`.repeat(8)}1]}`
  expect(await post(lists('1'))).toBe(201)
  expect(await post(lists('{}'))).toBe(413)
})

test('[HTTP-36] reads a large body in several turns, as it reads any other', async () => {
  let input: unknown
  await serve({}, async (_name, _actor, given) => {
    input = given
  })
  const post = (body: string) =>
    sendRequest(server.url, {
      method: 'POST',
      path: '/api/space',
      headers: { Authorization: 'Bearer good' },
      body,
    })
  const name = 'ä'.repeat(limits.bodyBytesInOneTurn)
  expect((await post(`{"name":"${name}","__proto__":{"x":1}}`)).status).toBe(201)
  expect(Object.entries(input as object)).toEqual([
    ['name', name],
    ['__proto__', { x: 1 }],
  ])
  expect((await post(`{"name":"${name}"`)).status).toBe(400)
  expect((await post(`["${name}"]`)).status).toBe(400)
})

test.each([120, 512, 1_024])(
  '[HTTP-36] reads a body of some %i KiB as it was sent',
  async (kibibytes) => {
    let input: unknown
    await serve({}, async (_name, _actor, given) => {
      input = given
    })
    for (const more of [-1, 0, 1]) {
      for (const letter of ['a', 'ä', '😀']) {
        const around = Buffer.byteLength('{"name":""}')
        const bytes = kibibytes * 1_024 + more - around
        const letters = letter.repeat(Math.floor(bytes / Buffer.byteLength(letter)))
        const name = letters + 'x'.repeat(bytes - Buffer.byteLength(letters))
        const { status } = await sendRequest(server.url, {
          method: 'POST',
          path: '/api/space',
          headers: { Authorization: 'Bearer good' },
          body: JSON.stringify({ name }),
        })
        expect(status).toBe(201)
        expect((input as { name: string }).name === name).toBe(true)
      }
    }
  },
)

test('[HTTP-48] gives way before a body of some size is read, between its pieces, and before it is checked', async () => {
  let turns = 0
  const turnsOf = async (body: string) => {
    turns = 0
    const headers = { Authorization: 'Bearer good' }
    await sendRequest(server.url, { method: 'POST', path: '/api/space', headers, body })
    return turns
  }
  const call = async () => undefined
  await serve({}, call, async () => void turns++)
  expect(await turnsOf('{"name":"x"}')).toBe(0)
  expect(await turnsOf(`{"name":"${'x'.repeat(20_000)}"}`)).toBe(1)
  const list = JSON.stringify(Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)))
  // The text is a million characters: eight pieces, which are looked at and then parsed.
  expect(await turnsOf(`{"list":${list}}`)).toBeGreaterThanOrEqual(16)
  // A line brings 64 KiB at a time at most, which are put together one after another.
  expect(await turnsOf(`{"name":"${'x'.repeat(1_500_000)}"}`)).toBeGreaterThan(20)
})

test('[HTTP-8] refuses a body of more values than the limit, which is higher where there are records', async () => {
  await serve({})
  const post = (path: string, values: number) =>
    sendRequest(server.url, {
      method: 'POST',
      path,
      headers: { Authorization: 'Bearer good' },
      body: `{"x":[${'1,'.repeat(values)}1]}`,
    })
  const refusal = { status: 413, code: 'payload_too_large' }
  expect((await post('/api/space', limits.jsonValuesOfOthers)).json()).toMatchObject(refusal)
  expect((await post('/api/table/tbl1/record', limits.jsonValuesOfOthers)).status).toBe(201)
  expect((await post('/api/table/tbl1/record', limits.jsonValues)).json()).toMatchObject(refusal)
})

test('[HTTP-8] refuses what is too much to be parsed in one go, and too large an object or text', async () => {
  await serve({})
  const members = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":1`).join()
  const items = `[${'1,'.repeat(limits.jsonValuesAtOnce)}1]`
  const bodies = [
    `{"records":[{"fields":{"a":${items}}}]}`,
    `{"records":[],"x":{"y":${items}}}`,
    `{"records":[{"fields":{${members(limits.jsonMembers + 1)}}}]}`,
    `{${members(limits.jsonMembers + 1)}}`,
    `{"records":[{"fields":{"a":"${'x'.repeat(limits.jsonTextLength + 1)}"}}]}`,
    `{"records":[${Array.from({ length: limits.jsonNames }, (_, n) => `{"k${n}":1}`).join()}]}`,
  ]
  const headers = { Authorization: 'Bearer good' }
  const path = '/api/table/tbl1/record'
  for (const body of bodies) {
    const answer = await sendRequest(server.url, { method: 'POST', path, headers, body })
    expect(answer.json()).toMatchObject({ status: 413, code: 'payload_too_large' })
  }
})

test('[HTTP-37] answers bodies that come too slowly 408, and closes their connections', async () => {
  await serve({ graceMs: 50, lookMs: 10 })
  const slow = Array.from({ length: 50 }, () => open(`${head('/api/space', 'good', long)}{"na`))
  for (const { closed } of slow) {
    expect(await closed).toMatch(/^HTTP\/1\.1 408 .*Connection: close.*"code":"request_timeout"/s)
  }
})

test('[HTTP-37] closes one that comes fast enough and has no end', async () => {
  await serve({ graceMs: 50, lookMs: 10, totalMs: 300, bytesPerSecond: 10 })
  const { socket, closed } = open(head('/api/space', 'good', 'Transfer-Encoding: chunked'))
  const drip = setInterval(() => socket.write(`64\r\n${' '.repeat(100)}\r\n`), 20)
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /)
  clearInterval(drip)
})

test('[HTTP-37] closes one that stops after a fast start', async () => {
  // So slow a pace that the start alone would do for a quarter of an hour.
  await serve({ graceMs: 50, lookMs: 10, windowMs: 100, bytesPerSecond: 1_000 })
  const start = `{"name":"${'a'.repeat(900_000)}`
  const { closed } = open(`${head('/api/table/tbl1/record', 'good', long)}${start}`)
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /)
})

test('[HTTP-37] waits for a slow body that keeps the pace', async () => {
  await serve({ graceMs: 50, lookMs: 10, bytesPerSecond: 10 })
  const { socket, answered } = open(`${head('/api/space', 'good', 'Content-Length: 20')}{"name":"`)
  for (const part of ['aaaaaaaaa', '"}']) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.write(part)
  }
  expect(await answered).toMatch(/^HTTP\/1\.1 201 /)
})

test('[HTTP-36] counts what each piece of a body takes, however small it is', async () => {
  await serve({ bytesAtOnce: 8_000 })
  const body = `{"name":"${'a'.repeat(30)}"}`
  const sendInPieces = async (size: number) => {
    const { socket, answered } = open(head('/api/space', 'good', 'Transfer-Encoding: chunked'))
    socket.setNoDelay(true)
    for (const piece of [...(body.match(new RegExp(`.{1,${size}}`, 'g')) ?? []), '']) {
      // What comes together is put together.
      await new Promise((resolve) => setTimeout(resolve, 5))
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
    }
    return answered
  }
  expect(await sendInPieces(10)).toMatch(/^HTTP\/1\.1 201 /)
  expect(await sendInPieces(1)).toMatch(/^HTTP\/1\.1 413 /)
})
