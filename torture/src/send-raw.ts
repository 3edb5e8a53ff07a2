import { request as open } from 'node:http'
import type { RawRequest } from './attack.ts'

/** Milliseconds after which a request is given up: longer than any answer may take. */
const patienceMs = 120_000

/** Sends a request as it is. Answers the status, -1 when the connection ended without one. */
export function sendRaw(
  url: string,
  { method, path, headers = {}, body }: RawRequest,
): Promise<number> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const options = { method, headers: { ...length, ...headers }, timeout: patienceMs }
    let request: ReturnType<typeof open>
    try {
      request = open(url + path, options, (response) => {
        response.resume()
        response.once('error', () => resolve(-1))
        response.once('end', () => resolve(response.statusCode ?? -1))
      })
    } catch {
      // What Node won't send, nobody can be hurt by.
      resolve(-1)
      return
    }
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(-1))
    request.end(body)
  })
}
