import { connect } from 'node:net'
import { type OpenFile, ServedFile } from '@gateleg/domain/attachments/served-file'
import { DomainError } from '@gateleg/domain/errors'
import { afterEach, expect, test } from 'vitest'
import { createHttpApp, type ServedEngine } from '../create-http-app.ts'
import { listen } from '../http-server.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** The file of ten bytes that is noted, whatever is read of it. */
const facts = { name: 'a.txt', mimetype: 'text/plain', size: 10 }

/** A file of which whatever is stored is handed on uncounted. */
class UncountedFile extends ServedFile {
  readonly #stored: OpenFile

  constructor(stored: OpenFile) {
    super(facts, stored)
    this.#stored = stored
  }

  override read: ServedFile['read'] = (range) => this.#stored(range)
}

/** Serves the file; `get` sends two requests on one connection, and answers what comes back on it and what is logged. */
async function serve(file: ServedFile) {
  const engine: ServedEngine = {
    authenticate: async (token) => ({ kind: 'user', userId: token }),
    call: async () => file,
    isHealthy: async () => true,
    giveWay: async () => undefined,
  }
  const logged: string[] = []
  const info = (fields: object) => {
    if ('status' in fields) logged.push(String(fields.status))
  }
  const error = (fields: object) => {
    if ('err' in fields && fields.err instanceof Error)
      logged.push(String(fields.err.cause ?? fields.err))
  }
  const app = createHttpApp(engine, { logger: { info, error } })
  const server = await listen({ app, host: '127.0.0.1', port: 0 })
  ends.push(() => server.close(0))
  const get = (headers = '') =>
    new Promise<{ text: string; logged: readonly string[] }>((resolve) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let text = ''
      socket.on('data', (piece) => {
        text += piece
      })
      // A reset is an end like others.
      socket.on('error', () => undefined)
      socket.on('close', () => resolve({ text, logged: logged.splice(0) }))
      const path = '/api/attachments/read/a?token=a'
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n` +
          'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      )
    })
  return { get }
}

/** Stored pieces, whatever is asked for. */
function stored(...pieces: readonly string[]): OpenFile {
  return async () =>
    (async function* () {
      for (const piece of pieces) yield Buffer.from(piece)
    })()
}

test('[HTTP-270] a file that is as long as it is noted is sent, and the next answer follows it', async () => {
  const { get } = await serve(new ServedFile(facts, stored('01234', '56789')))
  const { text } = await get()
  expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2)
  expect(text).toContain('\r\n\r\n0123456789HTTP/1.1')
})

test.each([
  ['shorter', ['01234', '567']],
  ['longer', ['01234', '56789', 'ab']],
  ['longer at once', ['01234', '56789ab']],
] as const)(
  '[HTTP-270] of a file that is %s than noted the answer breaks off, and no other follows it',
  async (_how, pieces) => {
    for (const file of [
      new ServedFile(facts, stored(...pieces)),
      new UncountedFile(stored(...pieces)),
    ]) {
      const { get } = await serve(file)
      for (const headers of ['', 'Range: bytes=0-9\r\n']) {
        const { text, logged } = await get(headers)
        const [head = '', body = ''] = text.split('\r\n\r\n')
        if (head !== '') expect(head).toContain('Content-Length: 10')
        expect(body).not.toMatch(/[ab]|HTTP/)
        // The other request is answered, and nobody hears of it.
        expect(logged.filter((line) => line !== '200')).toEqual([
          expect.stringMatching(/^Error: .*(?:8|12|10 or more|12 or more)/),
          '499',
        ])
      }
    }
  },
)

test.each([
  ['503 Service Unavailable', new DomainError('service_busy', 'Try again')],
  ['404 Not Found', new DomainError('not_found', 'It is gone')],
  ['500 Internal Server Error', new Error('The key is wrong')],
] as const)(
  '[HTTP-271] what fails before the first byte of a file is answered %s',
  async (status, error) => {
    // biome-ignore lint/correctness/useYield: it fails first
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      throw error
    }
    const { get } = await serve(new ServedFile(facts, async () => failing()))
    const { text } = await get()
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
    expect(text).toMatch(/HTTP\/1.1 200 OK.*ok/s)
  },
)
