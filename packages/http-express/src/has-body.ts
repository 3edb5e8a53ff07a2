import type { IncomingMessage } from 'node:http'

/** Whether the request says that it has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}
