import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blobStoreContract, piecesOf } from '@gateleg/testing/contracts/files/blob-store-contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type S3TestServer, startS3Server } from '../../../../../test/s3-server.ts'
import { S3BlobStore } from './s3-blob-store.ts'
import { S3Client } from './s3-client.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'gateleg-s3-incoming-'))
const text = Buffer.from('Call me Ishmael')

async function joined(pieces: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces ?? []) all.push(piece)
  return Buffer.concat(all)
}

async function listed(store: S3BlobStore): Promise<string[]> {
  const paths: string[] = []
  for await (const page of store.list()) paths.push(...page.map(({ path }) => path))
  return paths.toSorted()
}

describe('an S3 bucket', () => {
  let server: S3TestServer
  let prefixes = 0

  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.stop())

  const open = (
    terms: ConstructorParameters<typeof S3BlobStore>[2] = {},
    options: object = {},
    folder = newFolder(),
  ) => {
    const { endpoint, bucket, key } = server
    const prefix = `test${++prefixes}/a.b/`
    return new S3BlobStore({ endpoint, bucket, ...key, prefix, ...options }, folder, terms)
  }

  blobStoreContract('objects of a bucket', async () => open())
  blobStoreContract('objects that come in parts', async () => open({ partBytes: 65_536 }))

  test('[BLOB-9] large blobs come in parts, and nothing of them is left that broke off', async () => {
    const folder = newFolder()
    const store = open({ partBytes: 100_000 }, {}, folder)
    const bytes = randomBytes(1_050_000)
    server.takeRequests()
    const { path, digest, size } = await store.put(piecesOf(bytes, 7_777))
    const sent = server.takeRequests().filter((request) => request.startsWith('PUT '))
    expect(sent).toHaveLength(11)
    expect([digest, size]).toEqual([createHash('sha256').update(bytes).digest('hex'), 1_050_000])
    expect(await joined(await store.read(path))).toEqual(bytes)
    expect(await joined(await store.read(path, { first: 99_998, last: 100_003 }))).toEqual(
      bytes.subarray(99_998, 100_004),
    )
    expect(server.openUploads()).toEqual([])
    expect(readdirSync(join(folder, 'incoming'))).toEqual([])
  })

  test('[BLOB-9] parts that a killed process left are removed after a day', async () => {
    let nowMs = Date.now()
    const store = open({ partBytes: 100_000, nowMs: () => nowMs })
    const { path } = await store.put(piecesOf(text))
    const { endpoint, bucket, key } = server
    const client = new S3Client({ endpoint, bucket, ...key, prefix: `test${prefixes}/a.b/` })
    const ofNoBlob = { method: 'POST', query: { uploads: '' }, key: 'notes.txt' } as const
    await client.ask(ofNoBlob)
    await client.ask({ ...ofNoBlob, key: path })
    expect(await listed(store)).toEqual([path])
    expect(server.openUploads()).toHaveLength(2)
    nowMs += 25 * 3_600_000
    expect(await listed(store)).toEqual([path])
    expect(server.openUploads()).toHaveLength(1)
    await server.stop()
    server = await startS3Server()
  })

  test('[BLOB-10] objects of others in the bucket are neither listed nor reached', async () => {
    const { endpoint, bucket, key } = server
    const whole = open({}, { prefix: '' })
    const part = open({}, { prefix: 'part/' })
    const { path } = await part.put(piecesOf(text))
    const client = new S3Client({ endpoint, bucket, ...key })
    await client.ask({ method: 'PUT', key: 'note.txt', body: bodyOf(text) })
    expect(await listed(whole)).toEqual([])
    expect(await whole.read(path)).toBeUndefined()
    expect(await listed(part)).toEqual([path])
  })

  test('[BLOB-5] a list goes on from page to page', async () => {
    const store = open({ pageItems: 2 })
    const puts = await Promise.all(Array.from('abcde', () => store.put(piecesOf(text))))
    server.takeRequests()
    expect(await listed(store)).toEqual(puts.map(({ path }) => path).toSorted())
    // Three pages, and the uploads that haven't ended.
    expect(server.takeRequests()).toEqual(Array(4).fill('GET /files'))
  })

  test('[BLOB-10] the check says what is wrong with the bucket or the key', async () => {
    await open().check()
    await expect(open({}, { bucket: 'none' }).check()).rejects.toThrow('NoSuchBucket')
    await expect(open({}, { secretAccessKey: 'wrong' }).check()).rejects.toThrow(
      'SignatureDoesNotMatch',
    )
  })

  test.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
    ['an unknown key', { accessKeyId: 'wrong' }, 'InvalidAccessKeyId'],
    ['no bucket', { bucket: 'none' }, 'NoSuchBucket'],
  ])(
    '[BLOB-30] %s is `service_busy`, with what the store said as its cause',
    async (_what, wrong, reason) => {
      const store = open({}, wrong)
      const refused = {
        code: 'service_busy',
        data: { retryAfterSeconds: 60 },
        message: expect.not.stringContaining('wrong'),
        cause: { reason },
      }
      await expect(store.put(piecesOf(text))).rejects.toMatchObject(refused)
      await expect(listed(store)).rejects.toMatchObject(refused)
      // What is asked for the head of an object has no words in its answer.
      const path = `${'a'.repeat(64)}-${'b'.repeat(16)}`
      await expect(store.remove(path)).rejects.toMatchObject({ code: 'service_busy' })
    },
  )
})

/** Whether a link leads into the folder; one of a file that was closed meanwhile does not. */
function isIn(link: string, folder: string): boolean {
  try {
    return readlinkSync(link).startsWith(folder)
  } catch {
    return false
  }
}

function bodyOf(bytes: Buffer) {
  return {
    size: bytes.length,
    digest: createHash('sha256').update(bytes).digest('hex'),
    open: () => piecesOf(bytes),
  }
}

describe('an S3 store in trouble', () => {
  const ends: (() => void)[] = []
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })

  const openOn = async (listener: RequestListener, folder = newFolder(), partBytes?: number) => {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const options = { bucket: 'files', accessKeyId: 'key', secretAccessKey: 'secret' }
    const endpoint = `http://127.0.0.1:${port}`
    return new S3BlobStore({ ...options, endpoint }, folder, {
      patience: { answerMs: 100, pauseMs: 1 },
      ...(partBytes !== undefined && { partBytes }),
    })
  }
  const refusing = (status: number, code: string): RequestListener => {
    return (request, response) => {
      request.resume().on('end', () => response.writeHead(status).end(`<Code>${code}</Code>`))
    }
  }
  const path = `${'a'.repeat(64)}-${'b'.repeat(16)}`

  test('[BLOB-8] a store that is full is told as such', async () => {
    const folder = newFolder()
    for (const [status, code] of [
      [507, 'any'],
      [503, 'XMinioStorageFull'],
      [403, 'QuotaExceeded'],
    ] as const) {
      const store = await openOn(refusing(status, code), folder)
      const put = store.put(piecesOf(text))
      await expect(put).rejects.toMatchObject({ code: 'insufficient_storage' })
    }
    expect(readdirSync(join(folder, 'incoming'))).toEqual([])
  })

  test('[BLOB-11] a store that is out of reach, slow or overloaded is `service_busy`', async () => {
    const broken: readonly RequestListener[] = [
      refusing(500, 'InternalError'),
      refusing(503, 'SlowDown'),
      refusing(429, 'TooManyRequests'),
      () => {},
      (request) => request.socket.destroy(),
    ]
    for (const listener of broken) {
      const store = await openOn(listener)
      const busy = { code: 'service_busy', data: { retryAfterSeconds: 5 } }
      await expect(store.put(piecesOf(text))).rejects.toMatchObject(busy)
      await expect(store.read(path)).rejects.toMatchObject(busy)
      await expect(store.remove(path)).rejects.toMatchObject(busy)
      await expect(listed(store)).rejects.toMatchObject(busy)
    }
  })

  test.skipIf(process.platform !== 'linux')(
    '[BLOB-11] a store that is out of reach costs no open files',
    async () => {
      const listeners: readonly RequestListener[] = [
        refusing(503, 'SlowDown'),
        () => {},
        (request) => request.socket.destroy(),
      ]
      const folder = newFolder()
      const openInFolder = () =>
        readdirSync('/proc/self/fd').filter((name) => isIn(`/proc/self/fd/${name}`, folder))
      for (const listener of listeners) {
        const store = await openOn(listener, folder)
        await expect(store.put(piecesOf(text))).rejects.toMatchObject({ code: 'service_busy' })
      }
      const gone = await openOn(() => {}, folder)
      for (const end of ends.splice(0)) end()
      await expect(gone.put(piecesOf(text))).rejects.toMatchObject({ code: 'service_busy' })
      await expect.poll(openInFolder).toEqual([])
    },
  )

  test('[BLOB-10] a list goes on behind objects of others, whatever they are called', async () => {
    const keys = ['&p1', '&p2', '"p3', '<p4', path].toSorted()
    const written: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&#x22;' }
    const store = await openOn((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost')
      const rest = keys.filter((key) => key > (searchParams.get('marker') ?? ''))
      const [next = ''] = searchParams.has('uploads') ? [] : rest
      const name = next.replace(/[&<"]/g, (one) => written[one] ?? one)
      response.end(
        `<Contents><Key>${name}</Key><LastModified>2026-03-05T00:00:00Z</LastModified></Contents><IsTruncated>${rest.length > 1}</IsTruncated>`,
      )
    })
    expect(await listed(store)).toEqual([path])
  })

  test('[BLOB-11] what passes is tried again, with all bytes', async () => {
    let count = 0
    let got = ''
    const store = await openOn((request, response) => {
      let body = ''
      request.on('data', (piece) => {
        body += piece
      })
      request.on('end', () => {
        got = body
        response.writeHead(++count < 3 ? 503 : 200).end('<Code>SlowDown</Code>')
      })
    })
    const { size } = await store.put(piecesOf(text))
    expect([count, got, size]).toEqual([3, text.toString(), text.length])
  })

  test('[BLOB-11] bytes that stop in the middle end the reading', async () => {
    const store = await openOn((request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      if (request.method === 'GET') response.write('half')
      else response.end()
    })
    const cause = expect.objectContaining({
      message: expect.stringContaining('the answer stopped in the middle'),
    })
    const reading = joined(await store.read(path))
    await expect(reading).rejects.toMatchObject({ code: 'service_busy', cause })
  })

  test('[BLOB-15] what happens to the bytes after their head was answered is told as what they are asked for', async () => {
    let answer: RequestListener = () => {}
    const store = await openOn((request, response) => {
      if (request.method === 'HEAD') response.writeHead(200).end()
      else answer(request, response)
    })
    const outcomes: readonly (readonly [RequestListener, object])[] = [
      [refusing(404, 'NoSuchKey'), { code: 'not_found' }],
      [refusing(500, 'InternalError'), { code: 'service_busy' }],
      [refusing(503, 'SlowDown'), { code: 'service_busy' }],
      [refusing(403, 'AccessDenied'), { code: 'service_busy', cause: { reason: 'AccessDenied' } }],
      [
        (_request, response) => {
          response.writeHead(200, { 'content-length': '100' }).write('half')
          setTimeout(() => response.destroy(), 10)
        },
        { code: 'service_busy' },
      ],
    ]
    for (const [listener, outcome] of outcomes) {
      answer = listener
      await expect(joined(await store.read(path))).rejects.toMatchObject(outcome)
    }
  })

  test.each([
    ['is there', 200, String(text.length), 404, 'NoSuchUpload'],
    ['is there', 200, String(text.length), 500, 'InternalError'],
    ['has another size', 200, '3', 404, 'NoSuchUpload'],
    ['is not there', 404, '0', 404, 'NoSuchUpload'],
  ])(
    '[BLOB-17] an upload in parts whose end was not heard of is whole where the object %s',
    async (_is, status, length, refusal, reason) => {
      let times = 0
      const store = await openOn(
        (request, response) => {
          const { searchParams } = new URL(request.url ?? '', 'http://localhost')
          request.resume().on('end', () => {
            if (request.method === 'HEAD')
              response.writeHead(status, { 'content-length': length }).end()
            else if (searchParams.has('uploads')) response.end('<UploadId>1</UploadId>')
            else if (request.method !== 'POST') response.writeHead(200, { etag: 'a' }).end()
            else if (times++ === 0) response.destroy()
            else response.writeHead(refusal).end(`<Code>${reason}</Code>`)
          })
        },
        newFolder(),
        5,
      )
      const put = store.put(piecesOf(text))
      if (length === String(text.length)) expect(await put).toMatchObject({ size: text.length })
      else await expect(put).rejects.toMatchObject({ cause: { reason: 'NoSuchUpload' } })
      expect(times).toBe(refusal === 404 ? 2 : 3)
    },
  )

  test('[BLOB-16] a part is taken only where the store says that what was asked for is in it', async () => {
    let said: string | undefined
    const store = await openOn((_request, response) => {
      response.writeHead(206, said === undefined ? {} : { 'content-range': said }).end('2345')
    })
    const range = { first: 2, last: 5 }
    said = 'bytes 2-5/10'
    expect((await joined(await store.read(path, range))).toString()).toBe('2345')
    const busy = { code: 'service_busy' }
    await expect(joined(await store.read(path))).rejects.toMatchObject(busy)
    said = 'bytes 2-5/10'
    const inner = await joined(await store.read(path, { first: 3, last: 4 }))
    expect(inner.toString()).toBe('34')
    for (said of [undefined, '', 'bytes 0-3/10', 'bytes 3-9/10', 'bytes 2-4/10', 'bytes */10']) {
      await expect(joined(await store.read(path, range))).rejects.toMatchObject(busy)
    }
  })

  test('[BLOB-11] a redirect is not followed: nothing that is signed goes elsewhere', async () => {
    let count = 0
    const store = await openOn((_, response) => {
      count++
      response.writeHead(307, { location: '/elsewhere' }).end('<Code>TemporaryRedirect</Code>')
    })
    await expect(store.check()).rejects.toThrow('TemporaryRedirect')
    expect(count).toBe(1)
  })
})
