import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FileSource } from '@gateleg/domain/attachments/files/file-source'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { createHttpApp, type ServedEngine } from '../create-http-app.ts'
import { listen } from '../http-server.ts'

/** What an operation is called with that takes a file in one of the ways. */
interface FileInput {
  readonly file: FileSource
  readonly content: AsyncIterable<Uint8Array>
}

const boundary = 'xBoundaryx'

/** A file in each of the two ways in which they are sent. */
const ways = {
  form: {
    path: '/api/table/t/record/r/f/uploadAttachment',
    type: `multipart/form-data; boundary=${boundary}`,
    toBody: (file: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${file}\r\n--${boundary}--\r\n`,
    bytesOf: (input: FileInput) => input.file.stream(),
  },
  body: {
    path: '/api/attachments/upload/token',
    type: 'application/octet-stream',
    toBody: (file: string) => file,
    bytesOf: (input: FileInput) => input.content,
  },
}

type Way = keyof typeof ways

/** Serves an engine that takes files as `take` does; callers are known by their tokens. */
async function serve(way: Way, take: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) {
  const { path, type, toBody, bytesOf } = ways[way]
  const engine: ServedEngine = {
    authenticate: async (token) => ({ kind: 'user', userId: token }),
    call: async (_name, _actor, input) => {
      await take(bytesOf(input as FileInput))
      return {}
    },
    isHealthy: async () => true,
    giveWay: async () => undefined,
  }
  const statuses: unknown[] = []
  const info = (fields: object) => {
    if ('status' in fields) statuses.push(fields.status)
  }
  const app = createHttpApp(engine, { logger: { info, error: () => {} } })
  const server = await listen({ app, host: '127.0.0.1', port: 0 })
  const send = (file: string, caller = 'ada'): Socket => {
    const body = toBody(file)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller}\r\nConnection: close\r\n` +
        `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    return socket
  }
  return { send, statuses, close: () => server.close(0) }
}

/** Resolves once it was called so often. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let calls = 0
  return () => {
    if (++calls === count) resolve()
    return promise
  }
}

test.each(['form', 'body'] as const)(
  '[HTTP-243] pieces of files that come at the same moment, each as a %s, are taken over several turns',
  async (way) => {
    const count = 8
    const allCalled = barrier(count)
    let turn = 0
    let isOver = false
    const countTurns = () => {
      turn++
      if (!isOver) setImmediate(countTurns)
    }
    const takenAt: number[] = []
    const { send, close } = await serve(way, async (bytes) => {
      await allCalled()
      for await (const piece of bytes) if (piece.length > 0) takenAt.push(turn)
    })
    try {
      const answers = await withLimits({ filePiecesMs: 0 }, () => {
        countTurns()
        return Promise.all(
          Array.from({ length: count }, (_, n) => text(send(String(n).repeat(1_000)))),
        )
      })
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 20[01]/)
      expect(takenAt).toHaveLength(count)
      expect(new Set(takenAt).size).toBe(count)
    } finally {
      isOver = true
      await close()
    }
  },
)

test.each(['form', 'body'] as const)(
  '[HTTP-243] pieces of files, each as a %s, are taken from callers in turn',
  async (way) => {
    const ofAda = 6
    const allCalled = barrier(ofAda + 1)
    const taken: string[] = []
    const { send, close } = await serve(way, async (bytes) => {
      await allCalled()
      for await (const piece of bytes)
        if (piece.length > 0) taken.push(String.fromCharCode(piece[0] ?? 0))
    })
    try {
      await withLimits({ filePiecesMs: 0 }, () => {
        const files = Array.from({ length: ofAda }, () => text(send('a'.repeat(1_000), 'ada')))
        return Promise.all([...files, text(send('b'.repeat(1_000), 'bob'))])
      })
      expect(taken).toHaveLength(ofAda + 1)
      // One may have begun before anybody waited, another one goes before it in its turn.
      expect(taken.indexOf('b')).toBeLessThanOrEqual(2)
    } finally {
      await close()
    }
  },
)

test('[HTTP-244] a form is given up when its caller has gone, though all of it has come', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: gone, resolve: go } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>()
  const { send, statuses, close } = await serve('form', async (bytes) => {
    try {
      for await (const _piece of bytes) {
        begin()
        await gone
      }
      end('read to its end')
    } catch (error) {
      end(error)
      throw error
    }
  })
  try {
    const socket = send('a'.repeat(200_000))
    await begun
    // Until the parser of the connection has seen all of it.
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    go()
    expect(await ended).toMatchObject({ name: 'ConnectionLost' })
    await expect.poll(() => statuses).toEqual([499])
  } finally {
    await close()
  }
})
