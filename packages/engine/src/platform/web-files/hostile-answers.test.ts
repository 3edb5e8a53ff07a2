import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { FetchRefusal } from '@gateleg/domain/attachments/files/file-fetcher'
import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, expect, test } from 'vitest'
import { WebFileFetcher, type WebFileOptions } from './web-file-fetcher.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

/** A server that says what it says to each connection, and a fetcher for it. */
async function serving(say: (socket: Socket) => void, options: WebFileOptions = {}) {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    socket.once('data', () => say(socket))
  })
  servers.push(server)
  server.listen(0, '127.0.0.2')
  await once(server, 'listening')
  const url = `http://127.0.0.2:${(server.address() as AddressInfo).port}/a`
  const fetcher = new WebFileFetcher({ allow: ['127.0.0.2'], ...options })
  const read = async (
    caller = 'usrAda',
    onPiece = async (_piece: Uint8Array) => {},
    signal?: AbortSignal,
  ) => {
    const file = await fetcher.fetch({ url, most: 1e9, caller, ...(signal && { signal }) })
    try {
      for await (const piece of file.stream()) await onPiece(piece)
      return 'whole'
    } finally {
      file.end()
    }
  }
  return { open, read }
}

/** Sends the bytes again and again, as fast as they are taken. */
function flood(socket: Socket, head: string, bytes: string): void {
  socket.write(head)
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', more)
  more()
}

const outcomeOf = (reading: Promise<string>) =>
  reading.catch((error: unknown) => (error instanceof FetchRefusal ? error.message : error))
const unreachable = 'must lead to a file: none could be read from this address'
const tooSlow = 'must lead to a file that arrives in time: it arrived too slowly'

const floods = {
  'a file in chunks of one byte': [chunked, '1\r\nA\r\n'.repeat(10_000)],
  announcements: ['', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)],
} as const

test('[FETCH-16] a fetch ends when nobody waits for it any more, before and while the file comes', async () => {
  const gone = new Error('nobody is there')
  for (const head of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx']) {
    const { open, read } = await serving((socket) => socket.write(head))
    const controller = new AbortController()
    const reading = read('usrAda', async () => {}, controller.signal)
    await expect.poll(() => open.size).toBe(1)
    setTimeout(() => controller.abort(gone), 50)
    await expect(reading).rejects.toBe(gone)
    await expect.poll(() => open.size).toBe(0)
    await expect(read('usrAda', async () => {}, controller.signal)).rejects.toBe(gone)
    expect(open.size).toBe(0)
  }
})

test.each(Object.entries(floods))(
  '[FETCH-13] of %s without end little is taken',
  async (_what, [head, bytes]) => {
    const { open, read } = await serving((socket) => flood(socket, head, bytes))
    expect(await outcomeOf(read())).toBe(unreachable)
    await expect.poll(() => open.size).toBe(0)
  },
)

test('[FETCH-13] a few announcements, and some short chunks, are nothing bad', async () => {
  const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(limits.fetchAnnouncements)
  const lines = `${'1\r\nA\r\n'.repeat(400)}${`41\r\n${'A'.repeat(65)}\r\n`.repeat(3_000)}0\r\n\r\n`
  const { read } = await serving((socket) => socket.end(hints + chunked + lines))
  const pieces: Uint8Array[] = []
  await read('usrAda', async (piece) => void pieces.push(piece))
  expect(Buffer.concat(pieces).toString()).toBe('A'.repeat(400 + 65 * 3_000))
  expect(pieces.length).toBeLessThan(200)
})

test('[FETCH-14] a file that drips is given up, long before its time is over', async () => {
  await withLimits({ fetchPaceSeconds: 0.2 }, async () => {
    const { open, read } = await serving((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
      const drip = setInterval(() => socket.write('x'.repeat(10)), 10)
      socket.on('close', () => clearInterval(drip))
    })
    expect(await outcomeOf(read())).toBe(tooSlow)
    await expect.poll(() => open.size).toBe(0)
  })
})

test('[FETCH-14] a reader who takes long keeps a file that comes fast', async () => {
  await withLimits({ fetchPaceSeconds: 0.1 }, async () => {
    const file = 'x'.repeat(300_000)
    const { read } = await serving((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${file.length}\r\n\r\n${file}`),
    )
    const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 40))
    expect(await outcomeOf(read('usrAda', slowly))).toBe('whole')
  })
})

test.each(Object.entries(floods))(
  '[FETCH-15] while %s come on many connections, others have their turn',
  async (_what, [head, bytes]) => {
    await withLimits({ fetchPieceBytes: 0, fetchAnnouncements: 1e9 }, async () => {
      const { read } = await serving((socket) => flood(socket, head, bytes), {
        startMs: 1_500,
        totalMs: 1_500,
      })
      const readings = Array.from({ length: 32 }, (_, n) => outcomeOf(read(`usr${n % 8}`)))
      let turns = 0
      let areUnderWay = true
      const count = () => {
        turns++
        if (areUnderWay) setTimeout(count)
      }
      count()
      expect(new Set(await Promise.all(readings))).toEqual(new Set([tooSlow]))
      areUnderWay = false
      expect(turns).toBeGreaterThan(60)
    })
  },
)
