import { connect } from 'node:net'
import { createClient } from '@gateleg/contract/client'
import { TextStream } from '@gateleg/domain/answers/text-stream'
import { DomainError } from '@gateleg/domain/errors'
import { openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, expect, test, vi } from 'vitest'
import { createHttpApp, type ServedEngine } from '../create-http-app.ts'
import { type HttpServer, listen } from '../http-server.ts'
import { attachmentOf } from './content-disposition.ts'

let server: HttpServer
const logged: object[] = []

afterEach(async () => {
  logged.length = 0
  await server?.close(0)
})

/** Serves an engine whose every operation answers these parts. */
async function serve(parts: () => AsyncIterable<string>, fileName = 'Books.csv') {
  const engine: ServedEngine = {
    authenticate: async (token) => ({ kind: 'user', userId: `usr-${token}` }),
    call: async () => new TextStream({ fileName, mediaType: 'text/csv' }, parts()),
    isHealthy: async () => true,
    giveWay: async () => undefined,
  }
  const note = (fields: object, message: string) => void logged.push({ ...fields, message })
  const app = createHttpApp(engine, { logger: { info: note, error: note } })
  server = await listen({ app, host: '127.0.0.1', port: 0 })
}

async function* partsOf(...texts: readonly string[]) {
  yield* texts
}

const headers = { Authorization: 'Bearer good' }
const path = '/api/export/tbl1'
const get = (more: RequestInit = {}) => fetch(`${server.url}${path}`, { headers, ...more })

/** Asks for the text and reads nothing of it, until the socket is resumed. */
function getUnread() {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n`)
  return socket
}

test.each(['identity', 'gzip', 'br'])(
  '[HTTP-71] a text is sent part by part, as a file of its name, encoded as %s',
  async (encoding) => {
    const long = 'é,"x"\r\n'.repeat(100_000)
    await serve(() => partsOf('\ufeffName\r\n', long, 'end\r\n'))
    const answer = await get({ headers: { ...headers, 'Accept-Encoding': encoding } })
    expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(`\ufeffName\r\n${long}end\r\n`)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="Books.csv"; filename*=UTF-8''Books.csv`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(logged).toMatchObject([{ message: 'request', status: 200, route: '/export/{tableId}' }])
  },
)

test('[HTTP-71] HEAD answers the headers alone', async () => {
  let read = 0
  await serve(async function* () {
    read++
    yield 'x'
  })
  const answer = await get({ method: 'HEAD' })
  expect([answer.status, answer.headers.get('content-disposition'), read]).toEqual([
    200,
    expect.stringContaining('Books.csv'),
    0,
  ])
})

test.each([
  ['Bücher (neu).csv', 'B_cher (neu).csv', 'B%C3%BCcher%20%28neu%29.csv'],
  ['a"\r\nSet-Cookie: x', 'a___Set-Cookie_ x', 'a%22%0D%0ASet-Cookie%3A%20x'],
  ["it's 100%\\.csv", "it's 100__.csv", 'it%27s%20100%25%5C.csv'],
  ['\ud800.csv', '_.csv', '%EF%BF%BD.csv'],
])('[HTTP-71] the header takes %j as the name of a file', (name, plain, whole) => {
  expect(attachmentOf(name)).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${whole}`)
})

test('[HTTP-72] parts are read as fast as they are taken, and no more when the caller has gone', async () => {
  let read = 0
  let hasEnded = false
  const part = 'x'.repeat(1_000_000)
  await serve(async function* () {
    try {
      for (; ; read++) yield part
    } finally {
      hasEnded = true
    }
  })
  const socket = getUnread()
  await vi.waitFor(() => expect(read).toBeGreaterThan(0))
  await settled(() => read)
  // What the system holds of both ends of a line.
  expect(read).toBeLessThan(20)
  const before = read
  socket.resume()
  await vi.waitFor(() => expect(read).toBeGreaterThan(before + 20), { timeout: 10_000 })
  socket.destroy()
  await vi.waitFor(() => expect(logged).toMatchObject([{ status: 499 }]), { timeout: 10_000 })
  expect(hasEnded).toBe(true)
})

test('[HTTP-72] who takes nothing is cut off', async () => {
  await withLimits({ answerStalledSeconds: 0.2 }, async () => {
    const part = 'x'.repeat(1_000_000)
    await serve(async function* () {
      for (;;) yield part
    })
    const socket = getUnread()
    await vi.waitFor(() => expect(logged).toMatchObject([{ status: 499 }]), { timeout: 10_000 })
    socket.destroy()
  })
})

test('[HTTP-73] what fails midway has no end, so that nobody takes it for whole', async () => {
  await serve(async function* () {
    yield 'x'.repeat(5_000_000)
    throw new DomainError('conflict', 'The table was changed')
  })
  const answer = get({ headers: { ...headers, 'Accept-Encoding': 'identity' } })
  await expect(answer.then((one) => one.text())).rejects.toThrow()
  expect(logged).toMatchObject([{ message: 'answer cut' }, { message: 'request', status: 499 }])
  const client = createClient({ baseUrl: `${server.url}/api`, token: 'good' })
  const stream = await client.exports.exportTable({ tableId: 'tbl1' })
  await expect(textOf(stream)).rejects.toThrow('The answer ended before it was whole')
})

describeOnEveryStorage('exports over HTTP', (storage) => {
  test('[HTTP-71] are those of the engine, and refused alike', async () => {
    const world = await openHttpWorld(storage)
    try {
      const ada = await world.newPerson('Ada')
      const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId, name: 'Base' })
      const { id: tableId } = await ada.api.tables.createTable({
        baseId,
        name: 'Naïve',
        fields: [{ type: 'longText', name: 'Text' }],
        records: [{ fields: { Text: 'é "x"\n' } }, { fields: { Text: '=1' } }],
      })
      const token = ada.accessToken
      const client = createClient({ baseUrl: `${world.url}/api`, token })
      const input = { tableId, guardFormulas: true }
      const overHttp = await client.exports.exportTable(input)
      const inProcess = await ada.api.exports.exportTable(input)
      expect(overHttp.fileName).toBe('Naïve.csv')
      expect({ ...overHttp }).toEqual({ ...inProcess })
      const text = await textOf(overHttp)
      expect(text).toBe('\ufeffText\r\n"é ""x""\n"\r\n\'=1\r\n')
      expect(await textOf(inProcess)).toBe(text)
      const path = `/api/export/${tableId}`
      expect((await world.sendAs(ada, { method: 'GET', path })).status).toBe(200)
      const other = await world.newPerson('Other')
      expect((await world.sendAs(other, { method: 'GET', path })).status).toBe(404)
      const wrong = `${path}?projection[]=None`
      expect((await world.sendAs(ada, { method: 'GET', path: wrong })).status).toBe(400)
    } finally {
      await world.close()
    }
  })
})

async function textOf(stream: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of stream) text += part
  return text
}

/** Resolves when the number has stayed the same for a while. */
async function settled(read: () => number): Promise<void> {
  for (let before = -1; before !== read(); ) {
    before = read()
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}
