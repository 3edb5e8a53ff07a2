import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FileSource } from '@gateleg/domain/attachments/file-source'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { createHttpApp, type ServedEngine } from './create-http-app.ts'
import { listen } from './http-server.ts'

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

test.each(['form', 'body'] as const)(
  '[HTTP-243] pieces of files that come at the same moment, each as a %s, are taken over several turns',
  async (way) => {
    const { path, type, toBody, bytesOf } = ways[way]
    const count = 8
    let turn = 0
    let isOver = false
    const countTurns = () => {
      turn++
      if (!isOver) setImmediate(countTurns)
    }
    const takenAt: number[] = []
    const { promise: allCalled, resolve: callAll } = Promise.withResolvers<void>()
    let calls = 0
    const engine: ServedEngine = {
      authenticate: async () => ({ kind: 'user', userId: 'ada' }),
      call: async (_name, _actor, input) => {
        if (++calls === count) callAll()
        await allCalled
        for await (const piece of bytesOf(input as FileInput))
          if (piece.length > 0) takenAt.push(turn)
        return {}
      },
      isHealthy: async () => true,
      giveWay: async () => undefined,
    }
    const app = createHttpApp(engine, { logger: { info: () => {}, error: () => {} } })
    const server = await listen({ app, host: '127.0.0.1', port: 0 })
    const send = (file: string) => {
      const body = toBody(file)
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nConnection: close\r\n` +
          `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      return text(socket)
    }
    try {
      const answers = await withLimits({ filePiecesMs: 0 }, async () => {
        countTurns()
        return Promise.all(Array.from({ length: count }, (_, n) => send(String(n).repeat(1_000))))
      })
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 20[01]/)
      expect(takenAt).toHaveLength(count)
      expect(new Set(takenAt).size).toBe(count)
    } finally {
      isOver = true
      await server.close(0)
    }
  },
)
