import type { DomainEvent } from '@gateleg/domain/events/event'
import type { TestPorts, TestStorage } from '../test-engine.ts'
import { openWorld, type Person, type World } from '../worlds/world.ts'
import { checkAnswer } from './check-answer.ts'
import { sendRequest, type TestAnswer, type TestRequest } from './send-request.ts'
import { type TestHttpOptions, testHttp } from './test-http.ts'

/** A world that is served over HTTP. */
export interface HttpWorld extends World {
  readonly url: string
  /** What has happened since the world was opened. */
  readonly events: readonly DomainEvent[]
  /** Sends a request and checks the answer for all that is promised of every answer. */
  send(request: TestRequest): Promise<TestAnswer>
  /** Sends it with the person's access token. */
  sendAs(person: Person, request: TestRequest): Promise<TestAnswer>
}

/** Opens a world on a storage and serves it. Close it at the end of the test. */
export async function openHttpWorld(
  storage: TestStorage,
  options: TestHttpOptions & { readonly ports?: TestPorts } = {},
): Promise<HttpWorld> {
  const world = await openWorld(storage, options.ports)
  const http = await testHttp()
  const server = await http.serve(world.engine, options)
  const events: DomainEvent[] = []
  world.engine.subscribe((event) => events.push(event))
  const send = async (request: TestRequest) => {
    const answer = await sendRequest(server.url, request)
    checkAnswer(request, answer, http.operations)
    return answer
  }
  return {
    ...world,
    url: server.url,
    events,
    send,
    sendAs: ({ accessToken }, request) =>
      send({
        ...request,
        headers: { Authorization: `Bearer ${accessToken}`, ...request.headers },
      }),
    close: async () => {
      await server.close()
      await world.close()
    },
  }
}
