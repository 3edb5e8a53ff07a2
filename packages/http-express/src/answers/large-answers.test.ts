import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AnswerTooLong } from '@gateleg/domain/answers/answer-too-long'
import { limits } from '@gateleg/domain/limits'
import { noteLength } from '@gateleg/domain/records/showing/long-outputs'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, expect, test } from 'vitest'
import { createHttpApp, type HttpAppOptions, type ServedEngine } from '../create-http-app.ts'
import { toJson } from '../exchange/json-parts.ts'
import { type HttpServer, listen } from '../http-server.ts'

let server: HttpServer
let sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await server?.close(0)
})

type Call = ServedEngine['call']

async function serve(
  call: Call,
  answers: HttpAppOptions['answers'] = {},
  giveWay: ServedEngine['giveWay'] = async () => undefined,
) {
  const engine: ServedEngine = {
    authenticate: async (token) => ({ kind: 'user', userId: `usr-${token}` }),
    call,
    isHealthy: async () => true,
    giveWay,
  }
  const app = createHttpApp(engine, { answers, logger: { info: () => {}, error: () => {} } })
  server = await listen({ app, host: '127.0.0.1', port: 0 })
}

const headers = { Authorization: 'Bearer good' }
const list = (more: object = {}) =>
  fetch(`${server.url}/api/table/tbl1/record`, { headers: { ...headers, ...more } })
const listAs = (token: string) => list({ Authorization: `Bearer ${token}` })

/** Asks for records and reads nothing of the answer, until the socket is resumed. */
function listUnread(token = 'good', record = ''): Socket {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.pause()
  socket.write(
    `GET /api/table/tbl1/record${record} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  return socket
}

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
        const body = await toJson(value, nextTurn)
        const text = typeof body === 'string' ? body : Buffer.concat(body).toString()
        expect(text).toBe(JSON.stringify(value))
      }
    }
    expect(await toJson({ a: 1, records: records(9, 1) }, nextTurn)).toBe(
      JSON.stringify({ a: 1, records: records(9, 1) }),
    )
    const large = await toJson(records(100, 10_000), nextTurn)
    expect(Array.isArray(large)).toBe(true)
  },
)

test('[HTTP-41] what is made of an answer is told while it is put together', async () => {
  const told: number[] = []
  const body = await toJson(records(100, 10_000), nextTurn, (bytes) => told.push(bytes))
  expect(told.length).toBeGreaterThan(2)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  expect(told.at(-1)).toBeLessThanOrEqual(Buffer.concat(body as Buffer[]).length)
})

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
  await toJson(slow, nextTurn)
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
  await serve(call, { bytesAtOnce: 4 * limits.tentativeAnswerBytes })
  const answers = [1, 2, 3, 4, 5, 6, 7].map((number) => listAs(`user${number}`))
  await until(() => begun.length === 4)
  for (let done = 0; done < 7; done++) {
    expect(begun.length).toBeLessThanOrEqual(done + 4)
    begun[done]?.()
    await answers[done]
    await until(() => begun.length >= Math.min(done + 5, 7))
  }
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(new Array(7).fill(200))
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

test('[HTTP-41] nothing is done for who has left while they waited', async () => {
  const begun: (() => void)[] = []
  const call: Call = () => new Promise((resolve) => begun.push(() => resolve({ records: [] })))
  await serve(call, { bytesAtOnce: 1 })
  const first = list()
  await until(() => begun.length === 1)
  const gone = listUnread('leaver')
  gone.resume()
  await new Promise((resolve) => setTimeout(resolve, 50))
  gone.destroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const last = listAs('stayer')
  begun[0]?.()
  expect((await first).status).toBe(200)
  await until(() => begun.length === 2)
  begun[1]?.()
  expect((await last).status).toBe(200)
  expect(begun).toHaveLength(2)
})

test('[HTTP-41] a large answer that nobody takes is given up, and its share with it', async () => {
  const page = { records: records(400, 100_000), nextCursor: null }
  await serve(async () => page, { bytesAtOnce: 1, waitMs: 5_000 })
  await withLimits({ answerSeconds: 0.2, answerBytesPerSecond: 1e9 }, async () => {
    listUnread()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await list()).status).toBe(200)
  })
})

test.each([
  ['many records', records(400, 100_000)],
  ['few records', records(2, 20_000_000)],
])('[HTTP-44] an answer of which nothing is taken is cut at once: %s', async (_name, all) => {
  await serve(async () => ({ records: all, nextCursor: null }), { bytesAtOnce: 1, waitMs: 5_000 })
  // The pace over the whole time would leave it for hours.
  await withLimits({ answerStalledSeconds: 0.2, answerSeconds: 9_999 }, async () => {
    listUnread()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await listAs('other')).status).toBe(200)
  })
})

test('[HTTP-44] an answer that is taken bit by bit goes on', async () => {
  const page = { records: records(400, 100_000), nextCursor: null }
  await serve(async () => page)
  await withLimits({ answerStalledSeconds: 2 }, async () => {
    const socket = listUnread()
    let taken = 0
    const length = Buffer.byteLength(JSON.stringify(page))
    socket.on('data', (bytes) => {
      taken += bytes.length
      socket.pause()
      setTimeout(() => socket.resume(), 1)
    })
    socket.resume()
    for (let tries = 0; tries < 40 && taken < length; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    expect(taken).toBeGreaterThan(length)
  })
})

test('[HTTP-45] answers that one caller does not take leave room for others', async () => {
  const large = { records: records(400, 100_000), nextCursor: null }
  let isLarge = true
  const call: Call = async (_name, _actor, _input, { answerLength } = {}) => {
    if (!isLarge) return { records: [], nextCursor: null }
    if (answerLength !== undefined) throw new AnswerTooLong()
    return large
  }
  await serve(call, { bytesAtOnce: 8 * limits.answerBytes, waitMs: 300 })
  for (let count = 0; count < 12; count++) listUnread('greedy')
  await new Promise((resolve) => setTimeout(resolve, 150))
  isLarge = false
  const others = ['a', 'b', 'c', 'd'].map((token) => listAs(token))
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await listAs('greedy')).status).toBe(503)
})

test('[HTTP-45] [HTTP-65] writes of one caller that wait keep no other waiting, and small ones count for little', async () => {
  const ends: (() => void)[] = []
  let begun = 0
  const call: Call = (name) => {
    if (name !== 'records.createRecords') return Promise.resolve({ records: [], nextCursor: null })
    begun++
    return new Promise((resolve) => ends.push(() => resolve({ records: [] })))
  }
  await serve(call, { bytesAtOnce: 8 * limits.answerBytes })
  const create = (count: number) =>
    fetch(`${server.url}/api/table/tbl1/record`, {
      method: 'POST',
      headers: { Authorization: 'Bearer writer', 'Content-Type': 'application/json' },
      body: JSON.stringify({ records: Array.from({ length: count }, () => ({ fields: {} })) }),
    })
  const writes = Array.from({ length: 6 }, () => create(20_000))
  await until(() => begun === 3)
  expect((await listAs('reader')).status).toBe(200)
  expect(begun).toBe(3)
  for (let done = 0; done < 6; done++) {
    await until(() => ends.length > done)
    ends[done]?.()
  }
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(new Array(6).fill(201))
  const small = Array.from({ length: 40 }, () => create(1))
  await until(() => begun === 46)
  for (const end of ends) end()
  await Promise.all(small)
})

test('[HTTP-59] answers that others hold keep nobody from middling lists, nor from writes with short bodies', async () => {
  const long = { records: records(160, 100_000), nextCursor: null }
  const call: Call = async (name, actor, _input, { answerLength, mayEndSooner } = {}) => {
    if (name === 'records.createRecords') {
      // What the body tells is enough for it.
      if (answerLength === undefined || answerLength > 2 ** 21) throw new Error('too much')
      return { records: [] }
    }
    if (answerLength !== undefined && !mayEndSooner) throw new AnswerTooLong()
    const isGreedy = actor.kind === 'user' && actor.userId.startsWith('usr-greedy')
    return isGreedy ? long : { records: [], nextCursor: mayEndSooner ? 'more' : null }
  }
  await serve(call, { bytesAtOnce: 4 * limits.answerBytes })
  await withLimits({ longPageWaitSeconds: 0.1 }, async () => {
    for (let count = 0; count < 4; count++) listUnread(`greedy${count}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const page = await listAs('reader')
    expect([page.status, await page.json()]).toEqual([200, { records: [], nextCursor: 'more' }])
    for (const count of [1, 3, 100, 1_000]) {
      const created = await fetch(`${server.url}/api/table/tbl1/record`, {
        method: 'POST',
        headers: { Authorization: 'Bearer writer', 'Content-Type': 'application/json' },
        body: JSON.stringify({ records: Array.from({ length: count }, () => ({ fields: {} })) }),
      })
      expect(created.status).toBe(201)
    }
  })
})

test('[HTTP-65] a write that answers more than its body tells is made anew, with what the longest needs', async () => {
  const lengths: (number | undefined)[] = []
  const call: Call = async (_name, _actor, _input, { answerLength } = {}) => {
    lengths.push(answerLength)
    if (answerLength !== undefined) throw new AnswerTooLong()
    return { records: [] }
  }
  await serve(call)
  const body = JSON.stringify({ records: [{ fields: {} }, { fields: {} }] })
  const created = await fetch(`${server.url}/api/table/tbl1/record`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  })
  expect(created.status).toBe(201)
  const told = limits.answerBytesOfWrite + 2 * limits.answerBytesPerWritten + 2 * body.length
  expect(lengths).toEqual([told, undefined])
})

test('[HTTP-45] the line of one caller has an end', async () => {
  const ends: (() => void)[] = []
  const call: Call = () => new Promise((resolve) => ends.push(() => resolve({ records: [] })))
  await serve(call, { bytesAtOnce: 4 * limits.tentativeAnswerBytes })
  await withLimits({ answersWaitingPerCaller: 1 }, async () => {
    const [first, ...more] = [list(), list(), list()]
    const refused = await Promise.race(more)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    await until(() => ends.length === 1)
    ends[0]?.()
    await until(() => ends.length === 2)
    ends[1]?.()
    const statuses = (await Promise.all([first, ...more])).map((answer) => answer?.status)
    expect(statuses.sort()).toEqual([200, 200, 503])
  })
})

test('[HTTP-49] lists of few or small records of one caller go on together', async () => {
  const ends: (() => void)[] = []
  const call: Call = () => new Promise((resolve) => ends.push(() => resolve({ records: [] })))
  await serve(call)
  await withLimits({ answersMadeAtOnce: 20, answersMadePerCaller: 16 }, async () => {
    const answers = Array.from({ length: 16 }, () => list())
    await until(() => ends.length === 16)
    expect(ends).toHaveLength(16)
    for (const end of ends) end()
    await Promise.all(answers)
  })
})

test('[HTTP-61] of one caller a few lists are made at a time, and others have their turn', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const call: Call = (_name, actor) => {
    begun.push(actor.kind === 'user' ? actor.userId : '')
    return new Promise((resolve) => ends.push(() => resolve({ records: [] })))
  }
  await serve(call)
  const answers = Array.from({ length: 12 }, () => listAs('a'))
  await until(() => begun.length === limits.answersMadePerCaller)
  for (const token of ['b', 'c', 'd', 'e']) answers.push(listAs(token))
  await until(() => begun.length === limits.answersMadeAtOnce)
  expect(begun.slice(4).toSorted()).toEqual(['usr-b', 'usr-c', 'usr-d', 'usr-e'])
  answers.push(listAs('f'))
  for (let done = 0; done < answers.length; done++) {
    await until(() => ends.length > done)
    ends[done]?.()
  }
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(17).fill(200))
})

test('[HTTP-61] who fails, or has left, gives their turn to others', async () => {
  let begun = 0
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  await serve(async () => {
    begun++
    await gate
    throw new Error('fails')
  })
  const left = new AbortController()
  await withLimits({ answersMadePerCaller: 1 }, async () => {
    const first = list()
    await until(() => begun === 1)
    const second = fetch(`${server.url}/api/table/tbl1/record`, { headers, signal: left.signal })
    const third = list()
    await new Promise((resolve) => setTimeout(resolve, 100))
    left.abort()
    await expect(second).rejects.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 100))
    open()
    expect([(await first).status, (await third).status]).toEqual([500, 500])
  })
  expect(begun).toBe(2)
})

test('[HTTP-62] a long record that nobody takes counts among large answers', async () => {
  const long = records(1, 6_000_000)[0]
  noteLength(long?.fields ?? {}, 6_000_000)
  let made = 0
  const call: Call = async () => {
    made++
    return long
  }
  await serve(call, { bytesAtOnce: 8 * limits.answerBytesPerRecord, waitMs: 200 })
  const get = (token: string) =>
    fetch(`${server.url}/api/table/tbl1/record/rec1`, {
      headers: { Authorization: `Bearer ${token}` },
    })
  listUnread('greedy', '/rec1')
  await until(() => made === 1)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const refused = await get('greedy')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  const taken = await get('other')
  expect([taken.status, (await taken.arrayBuffer()).byteLength]).toEqual([
    200,
    Buffer.byteLength(JSON.stringify(long)),
  ])
})

test('[HTTP-49] a long list is read anew once it has the memory, and others of its caller wait', async () => {
  const lengths: (number | undefined)[] = []
  const ends: (() => void)[] = []
  const call: Call = async (_name, _actor, _input, { answerLength } = {}) => {
    lengths.push(answerLength)
    if (answerLength !== undefined) throw new AnswerTooLong()
    return new Promise((resolve) => ends.push(() => resolve({ records: records(1, 10) })))
  }
  await serve(call)
  const answers = [list(), list(), list(), list()]
  for (let done = 0; done < 4; done++) {
    // A fourth of the budget is enough for two, so that whoever comes after the first finds some of it taken.
    await until(() => ends.length === Math.min(done + 2, 4))
    ends[done]?.()
    await Promise.race(answers)
  }
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(4).fill(200))
  // The first one had the memory at once, and was read once.
  expect(lengths.filter((length) => length !== undefined)).toEqual(
    Array(3).fill(limits.tentativeAnswerBytes),
  )
  expect(lengths.filter((length) => length === undefined)).toHaveLength(4)
})

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(condition()).toBe(true)
}

test('[HTTP-57] a long record is written and hashed in turns, and tells its version as a short one does', async () => {
  const fields = Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [`${n}`, 'é'.repeat(200_000)]),
  )
  noteLength(fields, 8 * 200_000)
  let turns = 0
  await serve(
    async () => ({ id: 'rec1', fields, version: 3 }),
    {},
    async () => {
      turns++
    },
  )
  const get = (more: object = {}) =>
    fetch(`${server.url}/api/table/tbl1/record/rec1`, { headers: { ...headers, ...more } })
  const answer = await get()
  const body = await answer.text()
  expect(JSON.parse(body)).toEqual({ id: 'rec1', fields })
  const tag = answer.headers.get('etag') ?? ''
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 11)
  expect(tag).toBe(`"v3.${hash}"`)
  // For each cell when it is written, and for each part when it is hashed.
  expect(turns).toBeGreaterThanOrEqual(2 * 8)
  expect((await get({ 'If-None-Match': tag })).status).toBe(304)
})

test('[HTTP-58] verifications under way keep nobody from reading records, or from verifying', async () => {
  const under = Promise.withResolvers<object>()
  let verifying = 0
  const call: Call = async (name) => {
    if (name !== 'bases.verifyBase') return { records: [], nextCursor: null }
    verifying++
    return under.promise
  }
  await serve(call, { waitMs: 50 })
  const verify = (token: string) =>
    fetch(`${server.url}/api/base/bse1/verify`, { headers: { Authorization: `Bearer ${token}` } })
  const answers = Array.from({ length: 20 }, (_, n) => verify(`caller${n}`))
  await expect.poll(() => verifying).toBe(20)
  expect((await listAs('other')).status).toBe(200)
  under.resolve({ isSound: true })
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]))
})
