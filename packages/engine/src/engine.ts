import { type Actor, anonymous } from '@gateleg/domain/access/actor'
import { type CallCount, type CountedCalls, countCalls } from '@gateleg/domain/accounts/count-calls'
import type { Authenticate } from '@gateleg/domain/accounts/operations/authenticate'
import type { KnownUser, OwnUser } from '@gateleg/domain/accounts/operations/ensure-user'
import type { Api, PublicApi, UseCaseName } from '@gateleg/domain/api'
import type { Call } from '@gateleg/domain/call'
import type { CallOptions } from '@gateleg/domain/call-options'
import { assert } from '@gateleg/domain/errors'
import type { ParkedJob } from '@gateleg/domain/jobs/job'
import { listParkedJobs, retryParkedJob } from '@gateleg/domain/jobs/parked-jobs'
import type { ClosableStore } from './closable-store.ts'
import type { EventHub, EventListener } from './event-hub.ts'
import type { Background } from './job-runner.ts'
import type { LateCalls } from './late-calls.ts'
import type { LatePorts } from './late-ports.ts'

/** Who calls: a user for whom the embedding program vouches, or an actor as `authenticate` returns it. */
export type Caller = { readonly userId: string } | Actor

/** What an engine asks of its storage beside the calls. */
export interface EngineStorage {
  readonly store: Pick<ClosableStore, 'read' | 'giveWay' | 'close'>
  readonly isShared: boolean
  check(): Promise<void> | undefined
  /** Ends what may take minutes and is done again another time. */
  interrupt(): Promise<void> | undefined
  close(): Promise<void>
}

/** An open workspace. Everything that HTTP offers can be done here, with the same rights and errors. */
export class Engine implements AsyncDisposable {
  /** Finds the actor behind the token of a session or a share, or an access token. */
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
   * TypeError for what names no caller.
   */
  as(caller: Caller): Api {
    requireCaller(caller)
    const actor: Actor = 'kind' in caller ? caller : { kind: 'user', userId: caller.userId }
    return toApi(this.#calls.all, actor) as unknown as Api
  }

  /** The operations that need no account, and no others: sign-up and sign-in, and what the link of a share is enough for. */
  get public(): PublicApi {
    return toApi(this.#calls.public, anonymous) as unknown as PublicApi
  }

  /** Calls an operation by its name; what adapters with a table of operations use. */
  call(name: UseCaseName, actor: Actor, input: unknown, options?: CallOptions): Promise<unknown> {
    const call = this.#calls.all.get(name)
    assert(call, `the use case ${name} exists`)
    return call(actor, input, options)
  }

  /**
   * Makes a user of the embedding program known, or takes over what changed of them, so that calls can be
   * made as them. They have no password: nobody signs in as them.
   */
  async ensureUser(user: OwnUser): Promise<KnownUser> {
    const { ensureUser } = await import('@gateleg/domain/accounts/operations/ensure-user')
    return ensureUser(await this.#ports.load(), user)
  }

  /**
   * Hears of everything that happens, after it is durable. Returns what ends it. Throws a TypeError for what is no
   * function.
   */
  subscribe(listener: EventListener): () => void {
    if (typeof listener !== 'function') {
      throw new TypeError('engine.subscribe takes a function, which is called with each event')
    }
    return this.#events.subscribe(listener)
  }

  /**
   * Lets others have their turn when work on this thread, transactions included, has held the processor for some
   * 3 ms: for what a program does with large inputs and answers. Costs next to nothing when it isn't time yet.
   */
  giveWay(): Promise<void> {
    return this.#storage.store.giveWay()
  }

  /** Whether the storage can be read. */
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
   * Counts calls for all processes that serve the storage, in the turns of the caller. Undefined where this is the only one:
   * then whoever limits calls counts them.
   */
  async countCalls(calls: CountedCalls, caller: string): Promise<CallCount | undefined> {
    if (!this.#storage.isShared) return undefined
    return countCalls(await this.#ports.load(), calls, caller)
  }

  /** How many accounts there are, the embedding program's own users included. */
  countAccounts(): Promise<number> {
    return this.#storage.store.read((tx) => tx.users.count())
  }

  /** Background jobs that are not done any more, because the process ended again and again of them. */
  async parkedJobs(): Promise<readonly ParkedJob[]> {
    return listParkedJobs(await this.#ports.load())
  }

  /** Has a parked job tried again. Answers false when there is no parked job of the id. */
  async retryJob(jobId: string): Promise<boolean> {
    const isParked = await retryParkedJob(await this.#ports.load(), jobId)
    if (isParked) this.#runner.wake()
    return isParked
  }

  /**
   * Refuses transactions that begin from this moment, finishes those under way and lets go of the storage. A call that was made
   * in the same turn has begun none yet, and is refused: await it first. Closing again waits for the first time.
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

/** The calls by feature and name, as the actor. */
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

/** A program in plain JavaScript has no compiler that tells it. */
function requireCaller(caller: unknown): void {
  if (typeof caller === 'object' && caller !== null) {
    const kind = 'kind' in caller ? caller.kind : 'user'
    const userId = 'userId' in caller ? caller.userId : undefined
    if (kind === 'anonymous' || kind === 'share') return
    // Whether a user is known is asked of the kind: under one that there is not, nobody would ask.
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
