import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Has answers say that their connections end with them, once a server is about to close. */
export class LastAnswers {
  /** What each open connection was asked last: to listen for the end of every answer would cost all of them. */
  readonly #latest = new Map<Socket, ServerResponse>()
  #areLast = false

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      socket.once('close', () => this.#latest.delete(socket))
    })
    const follow = ({ socket }: IncomingMessage, response: ServerResponse) => {
      if (this.#areLast) response.shouldKeepAlive = false
      else this.#latest.set(socket, response)
    }
    // Before the app, which may answer at once.
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      if (server.listenerCount(event) > 0) server.prependListener(event, follow)
    }
  }

  /** From now on: those under way, where they haven't begun, and all that come. */
  begin(): void {
    this.#areLast = true
    for (const response of this.#latest.values()) response.shouldKeepAlive = false
    this.#latest.clear()
  }
}
