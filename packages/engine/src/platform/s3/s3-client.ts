import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { S3Error, toS3Error } from './s3-error.ts'
import { bucketUrl, prefixForm, type S3Options } from './s3-options.ts'

/** A request to the store. */
interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The name of an object, without the prefix; the bucket itself when not given. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: S3Body
}

/** The bytes of a request. They are read again when the request is repeated. */
export interface S3Body {
  readonly size: number
  /** SHA-256 in hexadecimal: the store refuses bytes that it isn't the digest of. */
  readonly digest: string
  open(): AsyncIterable<Uint8Array>
}

/** Times that a request is made before it is given up. */
const attemptsMax = 3

/** How long to wait, in milliseconds. */
export interface S3Patience {
  /** In which an answer must begin, and each piece of it come. */
  readonly answerMs: number
  /** Before a request is made for the second time; before the third, twice as long. */
  readonly pauseMs: number
}

const usualPatience: S3Patience = { answerMs: 30_000, pauseMs: 200 }

/** Bytes per second that the store must take at least. */
const bytesPerSecondMin = 256 * 1024

/** Bytes that an answer which is read whole may have: 1,000 names of an object take less than half. */
const answerBytesMax = 4 * 1024 * 1024

/** Sends signed requests to a bucket, repeats them where that may help, and waits for each only for a limited time. */
export class S3Client {
  readonly #signer: AwsClient
  readonly #bucket: URL
  readonly #prefix: string
  readonly #patience: S3Patience

  /** Throws a TypeError for a prefix that names of objects can't have. */
  constructor(options: S3Options, patience: S3Patience = usualPatience) {
    const {
      accessKeyId,
      secretAccessKey,
      sessionToken,
      region = 'us-east-1',
      prefix = '',
    } = options
    if (!prefixForm.test(prefix)) {
      throw new TypeError('The prefix of an S3 bucket has letters, digits and ._/- alone')
    }
    this.#signer = new AwsClient({
      ...{ accessKeyId, secretAccessKey, region, service: 's3' },
      ...(sessionToken !== undefined && { sessionToken }),
    })
    this.#bucket = bucketUrl(options)
    this.#prefix = prefix
    this.#patience = patience
  }

  /** What the names of all objects begin with. */
  get prefix(): string {
    return this.#prefix
  }

  /** The answer, when its status is one of success; else an S3Error is thrown. Its body is to be read, or cancelled. */
  async send(request: S3Request): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#sendOnce(request)
      } catch (error) {
        const isPassing = error instanceof S3Error && error.isPassing
        if (!isPassing || attempt === attemptsMax) throw error
        // It keeps the process alive: a program that waits for nothing else would end without a word.
        await sleep(this.#patience.pauseMs * 2 ** (attempt - 1))
      }
    }
  }

  /** The text of the answer. */
  async ask(request: S3Request): Promise<string> {
    return this.#textOf(await this.send(request))
  }

  /** The pieces of an answer, each of which must come in time. Who stops reading cancels the rest. */
  async *piecesOf(response: Response): AsyncIterable<Uint8Array> {
    const reader = response.body?.getReader()
    if (!reader) return
    try {
      for (;;) {
        const piece = await inTime(reader.read(), this.#patience.answerMs)
        if (piece.done) return
        yield piece.value
      }
    } finally {
      await reader.cancel().catch(() => undefined)
    }
  }

  async #sendOnce({ method, key, query = {}, headers = {}, body }: S3Request): Promise<Response> {
    const url = new URL(this.#bucket)
    if (key !== undefined) {
      const folder = url.pathname.replace(/\/$/, '')
      url.pathname = `${folder}/${encodeKey(`${this.#prefix}${key}`)}`
    }
    const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join('='))
    url.search = pairs.join('&')
    const digest = body?.digest ?? emptyDigest
    const signed = await this.#signer.sign(url, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': digest },
    })
    const waitMs = this.#patience.answerMs + ((body?.size ?? 0) / bytesPerSecondMin) * 1_000
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(), waitMs)
    const bytes = body?.open()[Symbol.asyncIterator]()
    try {
      const response = await fetch(url, {
        method,
        headers: withLength(signed.headers, body),
        ...(bytes && { body: streamOf(bytes), duplex: 'half' }),
        // What is signed goes where it was meant to go, or nowhere.
        redirect: 'manual',
        signal: waiting.signal,
      })
      if (response.ok) return response
      throw toS3Error(response.status, await this.#textOf(response))
    } catch (error) {
      // `fetch` leaves open what it didn't read to the end.
      await bytes?.return?.()
      throw error instanceof S3Error ? error : new S3Error(0, "it can't be reached", error)
    } finally {
      clearTimeout(timer)
    }
  }

  async #textOf(response: Response): Promise<string> {
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of this.piecesOf(response)) {
      size += piece.length
      if (size > answerBytesMax) throw new S3Error(response.status, 'its answer is too long')
      pieces.push(piece)
    }
    return Buffer.concat(pieces).toString()
  }
}

/** SHA-256 of no bytes. */
const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function streamOf(bytes: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from({ [Symbol.asyncIterator]: () => bytes })
}

/** Without its length a body would come in chunks, which stores refuse. */
function withLength(signed: Headers, body: S3Body | undefined): Headers {
  const headers = new Headers(signed)
  if (body) headers.set('content-length', String(body.size))
  return headers
}

function encodeKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/')
}

async function inTime<T>(promise: Promise<T>, waitMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new S3Error(0, 'the answer stopped in the middle')), waitMs)
  try {
    return await Promise.race([promise, late])
  } catch (error) {
    throw error instanceof S3Error ? error : new S3Error(0, 'it broke off', error)
  } finally {
    clearTimeout(timer)
  }
}
