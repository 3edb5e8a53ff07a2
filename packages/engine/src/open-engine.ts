import { backgroundCaller, storeOf } from '@gateleg/domain/access/caller-of'
import { dropUnfinishedKind } from '@gateleg/domain/bases/unfinished-base'
import type { Trace } from '@gateleg/domain/call'
import type { EventName } from '@gateleg/domain/events/event'
import { HeldJobs } from '@gateleg/domain/jobs/held-jobs'
import { JobParkedError, listParkedJobs } from '@gateleg/domain/jobs/parked-jobs'
import { ensureJobs, hastenJobs, type JobWork, runJobs } from '@gateleg/domain/jobs/run-next-job'
import { recurringJobs } from '@gateleg/domain/recurring-jobs'
import { type KnownNames, requireKnownOptions } from '@gateleg/domain/require-known-options'
import type { Storage } from '@gateleg/domain/store'
import { type ErrorListener, toSafeListener } from './background-errors.ts'
import { sweepingIn } from './blob-sweeper.ts'
import { ClosableStore } from './closable-store.ts'
import { Engine } from './engine.ts'
import { EventHub } from './event-hub.ts'
import { ownedBlobs, takeFileOwner } from './file-owner.ts'
import { takeInstanceKey } from './instance-key.ts'
import { type Background, JobRunner, sideBySide } from './job-runner.ts'
import { authenticateLate } from './late-authenticate.ts'
import { beginLater } from './late-background.ts'
import { LateCalls } from './late-calls.ts'
import { LatePorts } from './late-ports.ts'
import { MailsUnderWay } from './mails-under-way.ts'
import { SystemClock } from './platform/system-clock.ts'
import { type ReplaceablePorts, requireKnownPorts } from './replaceable-ports.ts'

export interface EngineOptions {
  /** Where the data is: `sqlite({ file })`. */
  readonly storage: Storage
  /**
   * What secrets are sealed and cursors signed with: 32 characters or more, the same at every opening. A
   * function is asked once the storage is open. When not given, one is made and kept in the storage.
   */
  readonly instanceKey?: string | (() => string | Promise<string>)
  /** Wraps every call; the default does nothing. */
  readonly trace?: Trace
  /** What takes the place of a port as it is shipped: `{ clock }`, say. */
  readonly ports?: Partial<ReplaceablePorts>
  /** Whether this engine does background work; the default is true. */
  readonly jobs?: boolean
  /** Hears of errors of listeners and of background work; the default reports them as warnings. */
  readonly onBackgroundError?: ErrorListener
}

const optionNames: KnownNames<EngineOptions> = {
  storage: true,
  instanceKey: true,
  trace: true,
  ports: true,
  jobs: true,
  onBackgroundError: true,
}

/** Events that leave something to the background. */
const wakingEvents: ReadonlySet<EventName> = new Set([
  'calculation.scheduled',
  'calculation.finished',
  'import.started',
  'user.updated',
  'user.deleted',
  'base.deleted',
  'space.deleted',
])

/**
 * Opens the storage, migrates it and wires every use case. Close the engine to release the storage; with `await
 * using`, the end of the block closes it. Throws a TypeError without a storage, and for unknown or invalid options
 * and ports.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  requireKnownOptions('openEngine', options, optionNames)
  requireStorage(options)
  requireKnownPorts(options.ports)
  const onError = toSafeListener(options.onBackgroundError)
  const events = new EventHub(onError)
  const storage = await options.storage.open({
    onCommit: (committed) => events.publish(committed),
    onFailure: onError,
  })
  try {
    const instanceKey = await takeInstanceKey(storage, options.instanceKey)
    const store = new ClosableStore(storage.store)
    const mails = new MailsUnderWay()
    const mail = options.ports?.mail && mails.counted(options.ports.mail, onError)
    const owner = await takeFileOwner(storage)
    const blobs = options.ports?.blobs && ownedBlobs(options.ports.blobs, owner)
    const clock = options.ports?.clock ?? new SystemClock()
    const replaced = { ...options.ports, ...(mail && { mail }), ...(blobs && { blobs }) }
    const ports = new LatePorts({ instanceKey, store, clock, replaced })
    const calls = new LateCalls(ports, options.trace ?? ((_useCase, run) => run()))
    // Not the store that calls have: a job that is under way goes on while the engine is closing.
    const backgroundStore = storeOf(backgroundCaller, storage.store)
    const loadJobPorts = async () => ({ ...(await ports.load()), store: backgroundStore })
    const jobStore = { clock, store: storage.jobStore ?? store }
    await ensureJobs(jobStore, recurringJobs)
    // Of one process alone nobody else can be making a base: what is unfinished was left behind.
    if (!storage.isShared) await hastenJobs(jobStore, dropUnfinishedKind)
    for (const job of await listParkedJobs(jobStore)) onError(new JobParkedError(job))
    await storage.started?.()
    const doesJobs = options.jobs !== false
    let jobs: RunningJobs | undefined
    const background = beginLater(async () => {
      await calls.load()
      if (doesJobs) jobs = await startJobs(await loadJobPorts(), onError)
      return jobs?.all
    }, onError)
    const sweeper = doesJobs
      ? sweepingIn(async () => ({ ...(await loadJobPorts()), owner }), onError)
      : undefined
    if (doesJobs) {
      // None tells of a job that is stepwise: a look for one takes the turn of a writer, and finds nothing.
      events.subscribe(({ name }) => {
        if (wakingEvents.has(name)) jobs?.others.wake()
      })
    }
    const interrupt = () => storage.interrupt?.()
    const close = async () => {
      await sweeper?.stop()
      const unsent = await mails.end()
      if (unsent > 0) onError(new Error(`The engine was closed before ${unsent} mails were sent`))
      await storage.close()
    }
    const { isShared = false } = storage
    const parts = { store, isShared, check: () => storage.check?.(), interrupt, close }
    return new Engine(calls, authenticateLate(ports), events, parts, background, ports)
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** What does the jobs of a storage: all of it, and the part of it that does those which aren't stepwise. */
interface RunningJobs {
  readonly all: Background
  readonly others: Background
}

/** Does the jobs of the storage. What may take minutes over a statement has a runner of its own: nothing else waits for it. */
async function startJobs(
  ports: Parameters<typeof runJobs>[0],
  onError: ErrorListener,
): Promise<RunningJobs> {
  const { jobKinds } = await import('@gateleg/domain/job-kinds')
  let isStopping = false
  // What was told to end has failed with that.
  const onFailure = (error: unknown) => {
    if (!isStopping) onError(error)
  }
  const start = (given: JobWork) => {
    const work = { ...given, held: new HeldJobs() }
    return new JobRunner((mayGoOn) => runJobs(ports, work, mayGoOn), work.onFailure)
  }
  const others = start({ kinds: jobKinds, lane: 'others', onFailure: onError })
  const stepwise = start({ kinds: jobKinds, lane: 'stepwise', onFailure })
  const both = sideBySide([others, stepwise])
  const stop = () => {
    isStopping = true
    return both.stop()
  }
  return { all: { wake: () => both.wake(), stop }, others }
}

/** A program in plain JavaScript has no compiler that tells it. */
function requireStorage(options: Partial<EngineOptions> | undefined): void {
  if (typeof options?.storage?.open === 'function') return
  throw new TypeError(
    'openEngine needs a storage: openEngine({ storage: sqlite({ file }) }), or postgres({ connectionString })',
  )
}
