import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Has answers say that their connections end with them, once a server is about to close. */
export class LastAnswers {
  readonly #underWay = new Set<ServerResponse>()
  #areLast = false

  constructor(server: Server) {
    const follow = (_request: IncomingMessage, response: ServerResponse) => this.#follow(response)
    // Before the app, which may answer at once.
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      if (server.listenerCount(event) > 0) server.prependListener(event, follow)
    }
  }

  /** From now on: those under way, where they haven't begun, and all that come. */
  begin(): void {
    this.#areLast = true
    for (const response of this.#underWay) response.shouldKeepAlive = false
  }

  #follow(response: ServerResponse): void {
    if (this.#areLast) {
      response.shouldKeepAlive = false
      return
    }
    this.#underWay.add(response)
    response.once('close', () => this.#underWay.delete(response))
  }
}
