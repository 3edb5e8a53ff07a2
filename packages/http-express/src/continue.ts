import type { IncomingMessage, RequestListener } from 'node:http'

const awaiting = new WeakSet<IncomingMessage>()

/**
 * Hands requests on whose callers wait for "100 Continue" before they send the body (`checkContinue` of a
 * server), so that one that is refused sends none. Where no server does so, Node has already said it.
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
