import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Attacker, Target } from '../attack.ts'

/** On loopback, which has many; others who are watched come from another one. */
const address = '127.0.0.2'

/** Connections that are open at the same time, and requests, or pieces of a body, that each sends in one go. */
const connections = 20
const sentAtOnce = 1_000

/** What each connection sends, from what it has sent before. */
interface Flood {
  readonly what: string
  readonly head: string
  piece(n: number): string
}

export const pipelines: Attack = {
  name: 'pipelines',
  about:
    'requests sent without waiting for answers, each with another token, and bodies that come a byte or two at a time',
  run: async (target) => {
    const attacker = await target.newAttacker('attacker')
    for (const flood of floods(attacker)) {
      const opened = await send(target, flood)
      target.say(`${flood.what}: ${opened} connections`)
    }
  },
}

function floods({ token, baseId }: Attacker): readonly Flood[] {
  const post = (path: string, type: string, more = '') =>
    `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: ${type}\r\n${more}Transfer-Encoding: chunked\r\n\r\n`
  const bearer = `Authorization: Bearer ${token}\r\n`
  const byte = () => '1\r\n \r\n'
  return [
    {
      what: 'descriptions',
      head: '',
      piece: () => 'GET /openapi.json HTTP/1.1\r\nHost: here\r\nAccept-Encoding: gzip\r\n\r\n',
    },
    { what: 'states', head: '', piece: () => 'GET /health HTTP/1.1\r\nHost: here\r\n\r\n' },
    {
      what: 'tokens that are none',
      head: '',
      piece: (n) =>
        `GET /api/space HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${Math.random()}-${n}\r\n\r\n`,
    },
    { what: 'bytes of JSON', head: post('/api/space', 'application/json', bearer), piece: byte },
    {
      what: 'bytes of CSV',
      head: post(`/api/import/${baseId}`, 'text/csv', bearer),
      piece: byte,
    },
    { what: 'bytes of nobody', head: post('/api/space', 'application/json'), piece: byte },
    {
      what: 'pairs of bytes of CSV',
      head: post(`/api/import/${baseId}`, 'text/csv', bearer),
      piece: () => '2\r\n1\n\r\n',
    },
  ]
}

/** Sends for a while, on a new connection for each that is closed. Answers how many there were. */
async function send({ url, isShort }: Target, { head, piece }: Flood): Promise<number> {
  const { hostname: host, port } = new URL(url)
  const untilMs = performance.now() + (isShort ? 500 : 5_000)
  let opened = 0
  const keepOne = async () => {
    while (performance.now() < untilMs) {
      opened++
      const socket = connect({ host, port: Number(port), localAddress: address })
      // The server may end it whenever it likes: that is what is asked for.
      socket.on('error', () => undefined)
      socket.resume()
      socket.write(head)
      for (let n = 0; !socket.closed && performance.now() < untilMs; n += sentAtOnce) {
        const pieces = Array.from({ length: sentAtOnce }, (_, index) => piece(n + index))
        if (socket.write(pieces.join(''))) await pause(1)
        else await once(socket, 'drain', { signal: AbortSignal.timeout(50) }).catch(() => undefined)
      }
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: connections }, keepOne))
  return opened
}
