import { connect, type Socket } from 'node:net'
import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, expect, test } from 'vitest'
import { createHttpApp, type HttpAppOptions } from './create-http-app.ts'
import { type HttpServer, listen } from './http-server.ts'
import { toJson } from './json-parts.ts'

let server: HttpServer
let sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await server?.close(0)
})

type Call = HttpAppOptions['engine']['call']

async function serve(call: Call, answers: HttpAppOptions['answers'] = {}) {
  const engine: HttpAppOptions['engine'] = {
    authenticate: async () => ({ kind: 'user', userId: 'usr1' }),
    call,
    isHealthy: async () => true,
  }
  const app = createHttpApp({ engine, answers, logger: { info: () => {}, error: () => {} } })
  server = await listen({ app, host: '127.0.0.1', port: 0 })
}

const headers = { Authorization: 'Bearer good' }
const list = (more: object = {}) =>
  fetch(`${server.url}/api/table/tbl1/record`, { headers: { ...headers, ...more } })

const records = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `rec${index}`,
    fields: { é: 'é'.repeat(length) },
  }))

test.each([0, 1, 8, 9, 40, 1_001])(
  '[HTTP-42] is the JSON that it would be at once: %i',
  async (count) => {
    for (const length of [0, 100_000 / (count + 1)]) {
      const all = records(count, length)
      for (const value of [
        all,
        { records: all, nextCursor: null },
        { records: all },
        { all, a: [1], b: all },
      ]) {
        const body = await toJson(value)
        const text = typeof body === 'string' ? body : Buffer.concat(body).toString()
        expect(text).toBe(JSON.stringify(value))
      }
    }
    expect(await toJson({ a: 1, records: records(9, 1) })).toBe(
      JSON.stringify({ a: 1, records: records(9, 1) }),
    )
    const large = await toJson(records(100, 10_000))
    expect(Array.isArray(large)).toBe(true)
  },
)

test('[HTTP-42] others have their turn while an answer is put together', async () => {
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const slow = Array.from({ length: 400 }, () => ({
    toJSON: () => {
      const end = performance.now() + 1
      while (performance.now() < end);
      return 'x'
    },
  }))
  await toJson(slow)
  clearInterval(counting)
  expect(turns).toBeGreaterThan(5)
})

test.each(['identity', 'gzip', 'br'])('[HTTP-42] is sent whole, as %s', async (encoding) => {
  const page = { records: records(300, 10_000), nextCursor: 'next' }
  await serve(async () => page)
  const answer = await list({ 'Accept-Encoding': encoding })
  expect(await answer.json()).toEqual(page)
  const head = await fetch(`${server.url}/api/table/tbl1/record`, { method: 'HEAD', headers })
  expect(await head.text()).toBe('')
})

test('[HTTP-41] requests for records wait for their share, in turn', async () => {
  const begun: (() => void)[] = []
  const call: Call = () =>
    new Promise((resolve) => begun.push(() => resolve({ records: [], nextCursor: null })))
  await serve(call, { bytesAtOnce: 2 * limits.answerBytes })
  const answers = [1, 2, 3, 4, 5].map(() => list())
  await until(() => begun.length === 2)
  for (let done = 0; done < 5; done++) {
    expect(begun.length).toBeLessThanOrEqual(done + 2)
    begun[done]?.()
    await answers[done]
    await until(() => begun.length >= Math.min(done + 3, 5))
  }
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(new Array(5).fill(200))
})

test('[HTTP-41] who has waited for too long is told to come back', async () => {
  let end: () => void = () => {}
  const call: Call = () => new Promise((resolve) => (end = () => resolve({ records: [] })))
  await serve(call, { bytesAtOnce: 1, waitMs: 50 })
  const first = list()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const second = await list()
  expect(second.status).toBe(503)
  expect(second.headers.get('retry-after')).toBe('5')
  end()
  expect((await first).status).toBe(200)
  const failing = list()
  await new Promise((resolve) => setTimeout(resolve, 20))
  end()
  expect((await failing).status).toBe(200)
})

test('[HTTP-41] a large answer that nobody takes is given up, and its share with it', async () => {
  const page = { records: records(400, 100_000), nextCursor: null }
  await serve(async () => page, { bytesAtOnce: 1, waitMs: 5_000 })
  await withLimits({ answerSeconds: 0.2, answerBytesPerSecond: 1e9 }, async () => {
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.pause()
    socket.write(
      'GET /api/table/tbl1/record HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n',
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await list()).status).toBe(200)
  })
})

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(condition()).toBe(true)
}
