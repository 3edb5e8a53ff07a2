import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { createHttpApp, type ServedEngine } from '../create-http-app.ts'
import { listen } from '../http-server.ts'
import { ConnectionLost } from './connection-lost.ts'
import { RequestTurns } from './request-turns.ts'

/** A request whose connection is open. */
function newRequest(): IncomingMessage {
  return { socket: { destroyed: false } } as IncomingMessage
}

/** Enters as a known caller, or as one of those of whom nothing is known. */
function enter(turns: RequestTurns, caller?: string, request = newRequest()) {
  return turns.enter(request, () => ({
    caller: caller ?? 'somewhere',
    isKnown: caller !== undefined,
  }))
}

/** What happens one turn of the event loop after the other: which requests have begun by its end. */
async function begunByTurn(
  turns: RequestTurns,
  callers: readonly (string | undefined)[],
): Promise<readonly string[]> {
  const begun: number[] = []
  const seen: string[] = []
  const all = callers.map(async (caller, request) => {
    await enter(turns, caller)
    begun.push(request)
  })
  while (begun.length < callers.length) {
    await new Promise(setImmediate)
    seen.push(begun.join(''))
  }
  await Promise.all(all)
  return seen
}

test('[HTTP-64] many requests at once begin over several turns of the event loop, those of a caller in their order', async () => {
  await withLimits({ requestsBegunMs: 0 }, async () => {
    const turns = new RequestTurns()
    const alike = [undefined, undefined, undefined, undefined]
    expect(await begunByTurn(turns, alike)).toEqual(['0', '01', '012', '0123'])
    expect(await begunByTurn(turns, alike.slice(2))).toEqual(['0', '01'])
  })
})

test('[HTTP-64] a known caller waits for one of a crowd of others', async () => {
  await withLimits({ requestsBegunMs: 0 }, async () => {
    const crowd = [undefined, undefined, undefined, 'eve', 'eve', 'ada']
    const seen = await begunByTurn(new RequestTurns(), crowd)
    expect(seen.at(-1)).toBe('035142')
  })
})

test('[HTTP-64] what follows from a request at once counts as its time', async () => {
  const turns = new RequestTurns()
  const perTurn: number[] = [0]
  let isOver = false
  const countTurns = () => {
    perTurn.push(0)
    if (!isOver) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const all = Array.from({ length: 60 }, async () => {
    await enter(turns)
    // As a request does: some promises, then what takes its time.
    await null
    await null
    const startedMs = performance.now()
    while (performance.now() - startedMs < 1) Math.random()
    perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1
  })
  await Promise.all(all)
  isOver = true
  // All but the first of them that began at once.
  expect(Math.max(...perTurn.slice(1))).toBeLessThanOrEqual(limits.requestsBegunMs + 1)
})

test('[HTTP-64] one caller alone is refused when too many of theirs wait', async () => {
  await withLimits({ requestsBegunMs: 0, requestsWaitingPerCaller: 2 }, async () => {
    const turns = new RequestTurns()
    const waiting = [enter(turns, 'a'), enter(turns, 'a')]
    await expect(enter(turns, 'a')).rejects.toThrow(/2 calls of yours wait already/)
    waiting.push(enter(turns, 'b'))
    await Promise.all(waiting)
  })
})

test('[HTTP-64] few requests begin at once', async () => {
  await withLimits({ requestsBegunMs: 60_000 }, async () => {
    const turns = new RequestTurns()
    expect(enter(turns)).toBeUndefined()
    expect(enter(turns)).toBeUndefined()
  })
})

test('[HTTP-64] of those who are not known only so many wait, and those who are known beside them', async () => {
  await withLimits({ requestsBegunMs: 0, requestsWaiting: 2 }, async () => {
    const turns = new RequestTurns()
    const waiting = [enter(turns), enter(turns)]
    await expect(enter(turns)).rejects.toMatchObject({ code: 'service_busy' })
    waiting.push(enter(turns, 'ada'))
    await Promise.all(waiting)
  })
})

test('[HTTP-64] what waits is passed over once its connection is closed', async () => {
  await withLimits({ requestsBegunMs: 0 }, async () => {
    const turns = new RequestTurns()
    const request = newRequest()
    const first = enter(turns)
    const gone = enter(turns, undefined, request)
    const last = enter(turns)
    Object.assign(request.socket, { destroyed: true })
    await expect(gone).rejects.toThrow(ConnectionLost)
    await Promise.all([first, last])
  })
})

test('[HTTP-64] an app begins requests in such turns, and answers them all', async () => {
  let turn = 0
  let isOver = false
  const countTurns = () => {
    turn++
    if (!isOver) setImmediate(countTurns)
  }
  const beganAt: number[] = []
  const engine: ServedEngine = {
    authenticate: async () => ({ kind: 'user', userId: 'ada' }),
    call: async () => {
      beganAt.push(turn)
      return {}
    },
    isHealthy: async () => true,
    giveWay: async () => undefined,
  }
  const app = createHttpApp(engine, { logger: { info: () => {}, error: () => {} } })
  const server = await listen({ app, host: '127.0.0.1', port: 0 })
  // Requests that are sent on one connection without waiting arrive together.
  const request = 'GET /api/space HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n'
  const last = `${request}Connection: close\r\n\r\n`
  try {
    const text = await withLimits({ requestsBegunMs: 0 }, async () => {
      countTurns()
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.write(`${request}\r\n`.repeat(9) + last)
      return readText(socket)
    })
    expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(10)
    expect(new Set(beganAt).size).toBe(10)
  } finally {
    isOver = true
    await server.close(0)
  }
})

test('[HTTP-64] callers behind a trusted proxy each have turns of their own', async () => {
  const engine: ServedEngine = {
    authenticate: async () => undefined,
    call: async () => ({}),
    isHealthy: async () => true,
    giveWay: async () => undefined,
  }
  const logger = { info: () => {}, error: () => {} }
  const app = createHttpApp(engine, { logger, trustedProxies: ['127.0.0.1'] })
  const server = await listen({ app, host: '127.0.0.1', port: 0 })
  /** The statuses of requests that arrive together, each for a caller at one of the addresses. */
  const statusesFor = async (addresses: readonly string[]) => {
    const requests = addresses.map((address, n) => {
      const end = n === addresses.length - 1 ? 'Connection: close\r\n' : ''
      return `GET /api/space HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${end}\r\n`
    })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(requests.join(''))
    return [...(await readText(socket)).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)
  }
  try {
    await withLimits({ requestsBegunMs: 0, requestsWaitingPerCaller: 1 }, async () => {
      expect(await statusesFor(['192.0.2.1', '192.0.2.2', '192.0.2.3'])).toEqual(
        Array(3).fill('401'),
      )
      expect((await statusesFor(Array(3).fill('192.0.2.1'))).toSorted()).toEqual([
        '401',
        '503',
        '503',
      ])
    })
  } finally {
    await server.close(0)
  }
})
