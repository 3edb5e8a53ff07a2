import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { createHttpApp, type ServedEngine } from './create-http-app.ts'
import { listen } from './http-server.ts'
import { RequestTurns } from './request-turns.ts'

/** A request with this credential, or none, from one address. */
function requestOf(authorization?: string): IncomingMessage {
  const headers = authorization === undefined ? {} : { authorization }
  return { headers, socket: { remoteAddress: '127.0.0.1' } } as IncomingMessage
}

/** What happens one turn of the event loop after the other: which requests have begun by its end. */
async function begunByTurn(
  turns: RequestTurns,
  credentials: readonly (string | undefined)[],
): Promise<readonly string[]> {
  const begun: number[] = []
  const seen: string[] = []
  const all = credentials.map(async (credential, request) => {
    await turns.enter(requestOf(credential))
    begun.push(request)
  })
  while (begun.length < credentials.length) {
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

test('[HTTP-64] who shows a credential waits for one of a crowd that shows none or another', async () => {
  await withLimits({ requestsBegunMs: 0 }, async () => {
    const crowd = [undefined, undefined, undefined, 'Bearer crowd', 'Bearer crowd', 'Bearer ada']
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
    await turns.enter(requestOf())
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
    const waiting = [turns.enter(requestOf('a')), turns.enter(requestOf('a'))]
    await expect(turns.enter(requestOf('a'))).rejects.toThrow(/2 calls of yours wait already/)
    waiting.push(turns.enter(requestOf('b')))
    await Promise.all(waiting)
  })
})

test('[HTTP-64] few requests begin at once', async () => {
  await withLimits({ requestsBegunMs: 60_000 }, async () => {
    const turns = new RequestTurns()
    expect(turns.enter(requestOf())).toBeUndefined()
    expect(turns.enter(requestOf())).toBeUndefined()
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
