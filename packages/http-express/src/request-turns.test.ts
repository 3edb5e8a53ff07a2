import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { createHttpApp, type ServedEngine } from './create-http-app.ts'
import { listen } from './http-server.ts'
import { RequestTurns } from './request-turns.ts'

/** What happens one turn of the event loop after the other: how many requests have begun by its end. */
async function begunByTurn(turns: RequestTurns, requests: number): Promise<readonly string[]> {
  const begun: number[] = []
  const seen: string[] = []
  const all = Array.from({ length: requests }, async (_, request) => {
    await turns.enter()
    begun.push(request)
  })
  while (begun.length < requests) {
    await new Promise(setImmediate)
    seen.push(begun.join(''))
  }
  await Promise.all(all)
  return seen
}

test('[HTTP-64] many requests at once begin over several turns of the event loop, in their order', async () => {
  await withLimits({ requestsBegunMs: 0 }, async () => {
    const turns = new RequestTurns()
    expect(await begunByTurn(turns, 4)).toEqual(['0', '01', '012', '0123'])
    expect(await begunByTurn(turns, 2)).toEqual(['0', '01'])
  })
})

test('[HTTP-64] few requests begin at once', async () => {
  await withLimits({ requestsBegunMs: 60_000 }, async () => {
    const turns = new RequestTurns()
    expect(turns.enter()).toBeUndefined()
    expect(turns.enter()).toBeUndefined()
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
