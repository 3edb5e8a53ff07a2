import { type IncomingHttpHeaders, request as openRequest } from 'node:http'

/** A request exactly as it goes over the wire: nothing is normalised or added but the length. */
export interface TestRequest {
  readonly method: string
  /** The request target, encoded or not. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, with the content type unless the headers name one; text and bytes as they are. */
  readonly body?: unknown
}

export interface TestAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body, as text. */
  readonly text: string
  /** The body, parsed. */
  json(): unknown
}

/** Sends a request and reads the whole answer. */
export function sendRequest(url: string, request: TestRequest): Promise<TestAnswer> {
  const { hostname, port } = new URL(url)
  const body = toBytes(request.body)
  const isChunked = request.headers?.['Transfer-Encoding'] !== undefined
  const headers = {
    ...(body && { 'Content-Type': 'application/json' }),
    ...(body && !isChunked && { 'Content-Length': String(body.length) }),
    ...request.headers,
  }
  return new Promise((resolve, reject) => {
    const sent = openRequest(
      { hostname, port, method: request.method, path: request.path, headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const status = answer.statusCode ?? 0
          resolve({ status, headers: answer.headers, text, json: () => JSON.parse(text) })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
