import { type Actor, anonymous } from '@gateleg/domain/access/actor'
import {
  type CallCount,
  type CountedCalls,
  countCalls,
} from '@gateleg/domain/accounts/attempts/count-calls'
import type { Authenticate } from '@gateleg/domain/accounts/operations/authenticate'
import type { KnownUser, OwnUser } from '@gateleg/domain/accounts/operations/ensure-user'
import type { Api, PublicApi, UseCaseName } from '@gateleg/domain/api'
import type { Call } from '@gateleg/domain/calls/call'
import type { CallOptions } from '@gateleg/domain/calls/call-options'
import { assert } from '@gateleg/domain/errors'
import type { ParkedJob } from '@gateleg/domain/jobs/job'
import { listParkedJobs, retryParkedJob } from '@gateleg/domain/jobs/parked-jobs'
import type { Background } from './background/job-runner.ts'
import type { ClosableStore } from './closable-store.ts'
import type { EventHub, EventListener } from './event-hub.ts'
import type { LateCalls } from './late-calls.ts'
import type { LatePorts } from './wiring/late-ports.ts'

/** Who calls: a user whom the embedding program has authenticated itself, or an actor that `authenticate` returned. */
export type Caller = { readonly userId: string } | Actor

/** What an engine needs of its storage, besides what calls need. */
interface EngineStorage {
  readonly store: Pick<ClosableStore, 'read' | 'giveWay' | 'close'>
  readonly isShared: boolean
  check(): Promise<void> | undefined
  /** Cancels statements that may take minutes; their jobs start them again at another time. */
  interrupt(): Promise<void> | undefined
  close(): Promise<void>
}

/** An open workspace. Everything that HTTP offers can be done here, with the same rights and errors. */
export class Engine implements AsyncDisposable {
  /** Resolves to the actor of a session token, an access token or the token of a share. */
  readonly authenticate: Authenticate
  readonly #calls: LateCalls
  readonly #events: EventHub
  readonly #storage: EngineStorage
  readonly #runner: Background
  readonly #ports: LatePorts
  #closed: Promise<void> | undefined

  constructor(
    calls: LateCalls,
    authenticate: Authenticate,
    events: EventHub,
    storage: EngineStorage,
    runner: Background,
    ports: LatePorts,
  ) {
    this.#calls = calls
    this.authenticate = authenticate
    this.#events = events
    this.#storage = storage
    this.#runner = runner
    this.#ports = ports
  }

  /**
   * All operations, called as the given user: `engine.as({ userId }).spaces.createSpace({ name })`. Throws a
   * TypeError for anything but a caller. Whether the user exists is checked by each call (`unauthorized`).
   */
  as(caller: Caller): Api {
    requireCaller(caller)
    const actor: Actor = 'kind' in caller ? caller : { kind: 'user', userId: caller.userId }
    return toApi(this.#calls.all, actor) as unknown as Api
  }

  /** The operations that need no account: sign-up, sign-in, and what anybody may do who has the link of a share. */
  get public(): PublicApi {
    return toApi(this.#calls.public, anonymous) as unknown as PublicApi
  }

  /** Calls an operation by its name, `feature.operation`; for adapters that have a table of operations. */
  call(name: UseCaseName, actor: Actor, input: unknown, options?: CallOptions): Promise<unknown> {
    const call = this.#calls.all.get(name)
    assert(call, `the use case ${name} exists`)
    return call(actor, input, options)
  }

  /**
   * Registers a user of the embedding program, or updates one, so that calls can be made as this user. The user has no
   * password and can't sign in. Rejects with a DomainError: `validation_error` for invalid members, `conflict` for an
   * e-mail address that another user has.
   */
  async ensureUser(user: OwnUser): Promise<KnownUser> {
    const { ensureUser } = await import('@gateleg/domain/accounts/operations/ensure-user')
    return ensureUser(await this.#ports.load(), user)
  }

  /**
   * Calls the listener with every event of this engine, after the change is durable. Returns a function that ends the
   * subscription. Throws a TypeError for a listener that is no function.
   */
  subscribe(listener: EventListener): () => void {
    if (typeof listener !== 'function') {
      throw new TypeError('engine.subscribe takes a function, which is called with each event')
    }
    return this.#events.subscribe(listener)
  }

  /**
   * Lets other work on this thread run when work, transactions included, has used the processor for about 3 ms; else it
   * resolves at once. For loops of the program over large inputs and answers.
   */
  giveWay(): Promise<void> {
    return this.#storage.store.giveWay()
  }

  /** Whether the storage can be read. Doesn't reject: what went wrong is passed to `onFailure`. */
  async isHealthy(onFailure: (error: unknown) => void = () => {}): Promise<boolean> {
    try {
      await this.#storage.check()
      await this.#storage.store.read((tx) => tx.users.namesOf(['nobody']), { caller: 'health' })
      return true
    } catch (error) {
      onFailure(error)
      return false
    }
  }

  /**
   * Counts the caller's calls in the storage, for rate limits that hold over all processes which serve it. Undefined
   * where the storage is served by one process alone: then the adapter counts in memory.
   */
  async countCalls(calls: CountedCalls, caller: string): Promise<CallCount | undefined> {
    if (!this.#storage.isShared) return undefined
    return countCalls(await this.#ports.load(), calls, caller)
  }

  /** How many accounts there are, the embedding program's own users included. */
  countAccounts(): Promise<number> {
    return this.#storage.store.read((tx) => tx.users.count())
  }

  /** The parked jobs: background work that is no longer tried, because the process ended each time it was. */
  async parkedJobs(): Promise<readonly ParkedJob[]> {
    return listParkedJobs(await this.#ports.load())
  }

  /** Lets a parked job be tried again. Resolves to false when no parked job has the id. */
  async retryJob(jobId: string): Promise<boolean> {
    const isParked = await retryParkedJob(await this.#ports.load(), jobId)
    if (isParked) this.#runner.wake()
    return isParked
  }

  /**
   * Refuses new transactions (`database_connection_unavailable`), finishes those under way and releases the storage. Await
   * your own calls first: one that was just made may not have begun its transaction, and is refused. Closing a second
   * time waits for the first.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  /** Closes the engine at the end of the block that holds it: `await using engine = await openEngine({ storage })`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    this.#storage.store.close()
    const stopped = this.#runner.stop()
    try {
      await this.#storage.interrupt()
    } finally {
      // What could not be interrupted ends by itself.
      try {
        await stopped
      } finally {
        await this.#storage.close()
      }
    }
  }
}

/** The calls by feature and name, each bound to the actor. */
function toApi(calls: Iterable<readonly [path: string, call: Call]>, actor: Actor) {
  const api: Record<string, Record<string, unknown>> = {}
  for (const [path, call] of calls) {
    const [feature = '', name = ''] = path.split('.')
    const operation = (input: unknown, options?: CallOptions) => call(actor, input, options)
    api[feature] ??= {}
    api[feature][name] = operation
  }
  return api
}

/** Checks what the compiler can't, because programs may be in plain JavaScript. */
function requireCaller(caller: unknown): void {
  if (typeof caller === 'object' && caller !== null) {
    const kind = 'kind' in caller ? caller.kind : 'user'
    const userId = 'userId' in caller ? caller.userId : undefined
    if (kind === 'anonymous' || kind === 'share') return
    // Calls check by the kind whether the user exists; under an unknown kind they would check nothing.
    const isWhole = kind === 'user' || (kind === 'token' && isOfScopes(caller))
    if (isWhole && typeof userId === 'string') return
  }
  throw new TypeError(
    'engine.as takes the user who calls: engine.as({ userId }); engine.public is for calls without a user',
  )
}

/** Whether it has scopes as a token has them: what went through JSON has lost them, with what it reaches. */
function isOfScopes(caller: object): boolean {
  return 'scopes' in caller && caller.scopes instanceof Set
}
