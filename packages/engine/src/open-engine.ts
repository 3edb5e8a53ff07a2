import { backgroundCaller, storeOf } from '@gateleg/domain/access/caller-of'
import { dropUnfinishedKind } from '@gateleg/domain/bases/unfinished-base'
import type { Trace } from '@gateleg/domain/calls/call'
import { type KnownNames, requireKnownOptions } from '@gateleg/domain/input/require-known-options'
import { JobParkedError, listParkedJobs } from '@gateleg/domain/jobs/parked-jobs'
import { ensureJobs, hastenJobs } from '@gateleg/domain/jobs/run-next-job'
import { recurringJobs } from '@gateleg/domain/recurring-jobs'
import type { OpenStorage, Storage } from '@gateleg/domain/store'
import { startBackground } from './background/background.ts'
import { type ErrorListener, toSafeListener } from './background/background-errors.ts'
import { MailsUnderWay } from './background/mails-under-way.ts'
import { ClosableStore } from './closable-store.ts'
import { Engine } from './engine.ts'
import { EventHub } from './event-hub.ts'
import { ownedBlobs, takeFileOwner } from './file-owner.ts'
import { takeInstanceKey } from './instance-key.ts'
import { authenticateLate } from './late-authenticate.ts'
import { LateCalls } from './late-calls.ts'
import { SystemClock } from './platform/system-clock.ts'
import { LatePorts } from './wiring/late-ports.ts'
import { type ReplaceablePorts, requireKnownPorts } from './wiring/replaceable-ports.ts'

/** The options of `openEngine`. */
export interface EngineOptions {
  /** Where the data is: `sqlite({ file })` or `postgres({ connectionString })`. */
  readonly storage: Storage
  /**
   * The key that seals secrets and signs cursors: 32 characters or more, the same each time the storage is opened. A
   * function is called once the storage is open. When not given, a key is made and kept in the storage.
   */
  readonly instanceKey?: string | (() => string | Promise<string>)
  /** Wraps every call, for tracing and timing; must return what `run` returns. By default nothing is wrapped. */
  readonly trace?: Trace
  /** Replacements of built-in ports, such as `{ clock }`. */
  readonly ports?: Partial<ReplaceablePorts>
  /** Whether this engine does background work; the default is true. */
  readonly jobs?: boolean
  /** Called with errors of event listeners and of background work; by default they become process warnings. */
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

/**
 * Opens the storage, migrates it and makes every use case callable. Close the engine to release the storage; with
 * `await using`, the end of the block closes it. Rejects with a TypeError without a storage and for unknown or invalid
 * options and ports, with an InstanceKeyError for a key that doesn't fit the data, and with the storage's own errors
 * (`FileInUseError`, `FileUnusableError`).
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
    return await wireEngine(storage, options, events, onError)
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function wireEngine(
  storage: OpenStorage,
  options: EngineOptions,
  events: EventHub,
  onError: (error: unknown) => void,
): Promise<Engine> {
  const instanceKey = await takeInstanceKey(storage, options.instanceKey)
  const owner = await takeFileOwner(storage)
  const store = new ClosableStore(storage.store)
  const mails = new MailsUnderWay()
  const clock = options.ports?.clock ?? new SystemClock()
  const replaced = toReplaced(options.ports, { mails, owner, onError })
  const ports = new LatePorts({ instanceKey, store, clock, replaced })
  const calls = new LateCalls(ports, options.trace ?? ((_useCase, run) => run()))
  await prepareJobs(storage, { clock, store: storage.jobStore ?? store }, onError)
  await storage.started?.()
  // Jobs have the storage's own store: the one under way goes on after the engine's store is closed.
  const jobStore = storeOf(backgroundCaller, storage.store)
  const { runner, sweeper } = startBackground({
    ...{ calls, owner, events, onError },
    doesJobs: options.jobs !== false,
    loadPorts: async () => ({ ...(await ports.load()), store: jobStore }),
  })
  const close = async () => {
    await sweeper?.stop()
    const unsent = await mails.end()
    if (unsent > 0) onError(new Error(`The engine was closed before ${unsent} mails were sent`))
    await storage.close()
  }
  const engineStorage = {
    ...{ store, isShared: storage.isShared ?? false, close },
    check: () => storage.check?.(),
    interrupt: () => storage.interrupt?.(),
  }
  return new Engine(calls, authenticateLate(ports), events, engineStorage, runner, ports)
}

/** The ports that the program passed; mails are counted until they are sent, files are marked as their owner's. */
function toReplaced(
  passed: EngineOptions['ports'],
  {
    mails,
    owner,
    onError,
  }: {
    readonly mails: MailsUnderWay
    readonly owner: string | undefined
    readonly onError: (error: unknown) => void
  },
): Partial<ReplaceablePorts> {
  const mail = passed?.mail && mails.counted(passed.mail, onError)
  const blobs = passed?.blobs && ownedBlobs(passed.blobs, owner)
  return { ...passed, ...(mail && { mail }), ...(blobs && { blobs }) }
}

/** Adds the recurring jobs that the storage lacks, and reports the parked ones. */
async function prepareJobs(
  storage: OpenStorage,
  ports: Parameters<typeof ensureJobs>[0],
  onError: (error: unknown) => void,
): Promise<void> {
  await ensureJobs(ports, recurringJobs)
  // Where no other process can be making a base, an unfinished one was left by a process that has ended.
  if (!storage.isShared) await hastenJobs(ports, dropUnfinishedKind)
  for (const job of await listParkedJobs(ports)) onError(new JobParkedError(job))
}

/** Checks what the compiler can't, because programs may be in plain JavaScript. */
function requireStorage(options: Partial<EngineOptions> | undefined): void {
  if (typeof options?.storage?.open === 'function') return
  throw new TypeError(
    'openEngine needs a storage: openEngine({ storage: sqlite({ file }) }), or postgres({ connectionString })',
  )
}
