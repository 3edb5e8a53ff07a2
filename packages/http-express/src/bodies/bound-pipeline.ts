import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@gateleg/domain/limits'
import { stopParsing } from './stop-parsing.ts'

/** How many requests of a connection have come and aren't answered yet. */
const unanswered = new WeakMap<object, number>()

/**
 * Whether a request may be answered: a connection that has sent more than `limits.requestsPerConnection` without waiting
 * for an answer is closed. Nothing else bounds what one packet of a few bytes per request can ask for.
 */
export function isWithinPipeline(request: IncomingMessage, response: ServerResponse): boolean {
  const { socket } = request
  if (socket.destroyed) return false
  const count = (unanswered.get(socket) ?? 0) + 1
  if (count > limits.requestsPerConnection) {
    stopParsing(socket)
    socket.destroy()
    return false
  }
  unanswered.set(socket, count)
  response.once('close', () => {
    unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1)
  })
  return true
}
