import type { IncomingMessage, RequestListener } from 'node:http'

const awaiting = new WeakSet<IncomingMessage>()

/**
 * Passes on requests whose callers wait for "100 Continue" before they send the body (the event `checkContinue` of a
 * server), so that the body of a refused request is never sent. Without a listener for that event, Node answers "100
 * Continue" by itself.
 */
export function holdingContinue(app: RequestListener): RequestListener {
  return (request, response) => {
    awaiting.add(request)
    return app(request, response)
  }
}

/** Whether the caller still waits for "100 Continue". */
export function isAwaitingContinue(request: IncomingMessage): boolean {
  return request.headers.expect !== undefined && awaiting.delete(request)
}
