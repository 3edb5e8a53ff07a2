import type { UseCaseName } from '@gateleg/domain/api'
import { assert } from '@gateleg/domain/errors'
import type { UseCase } from '@gateleg/domain/use-case'
import type { TestEngine } from '../test-engine.ts'

/** An operation of the HTTP adapter under test, as far as checks need to know it. */
export interface TestOperation {
  readonly name: UseCaseName
  readonly useCase: Pick<UseCase, 'access'>
  readonly method: string
  /** Another method that does the same. */
  readonly alsoBy?: string
  /** Below `/api`, with `{name}` for parameters. */
  readonly path: string
  readonly status: number
  readonly isPublic: boolean
  /** What the link of a share is enough for. */
  readonly isOfShare: boolean
  /** The statuses that its description says it may be answered with. */
  readonly describedStatuses: readonly number[]
  /** Its answer has an `ETag`. */
  readonly isVersioned?: true
  /** The media type of an answer that is a text. */
  readonly answersText?: string
  /** The answer is a file. */
  readonly answersFile?: true
}

interface TestHttpServer {
  /** `http://127.0.0.1:12345` */
  readonly url: string
  close(): Promise<void>
}

export interface TestHttpOptions {
  readonly publicUrl?: string
  /** Hears of every line of the log. */
  readonly onLog?: (fields: object) => void
}

/** The HTTP adapter under test. */
export interface TestHttp {
  readonly operations: readonly TestOperation[]
  /** Serves the engine on a free port of this machine. Closing the server leaves the engine open. */
  serve(engine: TestEngine, options: TestHttpOptions): Promise<TestHttpServer>
}

let load: (() => Promise<TestHttp>) | undefined

/** Names the HTTP adapter under test, loaded by the tests that use it; for the setup file. */
export function serveHttpWith(loadAdapter: () => Promise<TestHttp>): void {
  load = loadAdapter
}

/** The HTTP adapter under test. */
export function testHttp(): Promise<TestHttp> {
  assert(load, 'the setup file of the tests has named an HTTP adapter')
  return load()
}
