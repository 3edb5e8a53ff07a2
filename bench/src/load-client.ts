import { type Dispatcher, Pool } from 'undici'
import type { Statement } from './handwritten/rows.ts'

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: string | Buffer
  /** The type of the body; JSON when it isn't said. */
  readonly type?: string
}

export interface LoadClientOptions {
  readonly url: string
  readonly connections: number
  readonly token?: string | undefined
}

/** Sends requests with as little work as possible, so that the time measured is the server's. */
export class LoadClient {
  readonly #pool: Pool
  readonly #headers: Record<string, string>

  constructor({ url, connections, token }: LoadClientOptions) {
    this.#pool = new Pool(url, { connections, pipelining: 1 })
    this.#headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
  }

  /** The body of the answer, unread; rejects when it is no success. */
  async send(request: LoadRequest): Promise<Buffer> {
    const chunks: Buffer[] = []
    await this.#receive(request, (chunk) => chunks.push(chunk))
    return Buffer.concat(chunks)
  }

  /** Resolves when the answer is there whole, of which nothing is kept: it may be long. Rejects when it is no success. */
  finish(request: LoadRequest): Promise<void> {
    return this.#receive(request, () => {})
  }

  #receive(
    { method, path, body, type = 'application/json' }: LoadRequest,
    onData: (chunk: Buffer) => void,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const reasons: Buffer[] = []
    let status = 0
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart: (_controller, statusCode) => {
        status = statusCode
      },
      onResponseData: (_controller, chunk) => {
        if (status < 300) onData(chunk)
        else reasons.push(chunk)
      },
      onResponseEnd: () => {
        const reason = Buffer.concat(reasons)
        if (status < 300) resolve()
        else reject(new Error(`${method} ${path.slice(0, 80)} was answered ${status}: ${reason}`))
      },
      onResponseError: (_controller, error) => reject(error),
    }
    const headers = { ...this.#headers, 'content-type': type }
    this.#pool.dispatch({ method, path, headers, body: body ?? null }, handler)
    return promise
  }

  /** Milliseconds until the answer is there whole. */
  async time(request: LoadRequest): Promise<number> {
    const startedMs = performance.now()
    await this.send(request)
    return performance.now() - startedMs
  }

  /** The answer, read as JSON. */
  async sendForJson<T>(request: LoadRequest): Promise<T> {
    return JSON.parse((await this.send(request)).toString('utf8')) as T
  }

  /** Milliseconds until a handwritten server has run the statements in one transaction. */
  timeTransaction(statements: readonly Statement[]): Promise<number> {
    const body = JSON.stringify({ statements })
    return this.time({ method: 'POST', path: '/transaction', body })
  }

  /**
   * Sends requests, as many at a time as there are connections, until there have been `count` of them, and hands each answer
   * on, unread. Answers how many there were per second.
   */
  async drive(
    connections: number,
    count: number,
    toRequest: (index: number) => LoadRequest,
    onAnswer: (answer: Buffer) => void = () => {},
  ): Promise<number> {
    let next = 0
    const startedMs = performance.now()
    const loop = async () => {
      while (next < count) onAnswer(await this.send(toRequest(next++)))
    }
    await Promise.all(Array.from({ length: connections }, loop))
    return count / ((performance.now() - startedMs) / 1_000)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
