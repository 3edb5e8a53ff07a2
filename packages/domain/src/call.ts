import { type Actor, anonymous } from './access/actor.ts'
import { callerOf, storeOf } from './access/caller-of.ts'
import { expectedScopesOf } from './access/expected-scopes.ts'
import type { Guard, Passage } from './access/guard.ts'
import { isVouchedFor, requireKnownUser } from './access/known-users.ts'
import { isLive, requireLiveCredential } from './access/live-credentials.ts'
import { type CallOptions, requireCallOptions } from './call-options.ts'
import { type Clock, toTimestamp } from './clock.ts'
import { changedNothing, DomainError, invalid } from './errors.ts'
import { FileUrls } from './file-urls.ts'
import { callOnce, findAnswer, toRepeatable } from './idempotency/call-once.ts'
import { limits } from './limits.ts'
import { noOutput } from './no-output.ts'
import { parseInputInTurns } from './parse-input-in-turns.ts'
import type { Ports } from './ports.ts'
import { requireMatch } from './require-match.ts'
import type { ReadTx, WriteTx } from './store.ts'
import { TextStream } from './text-stream.ts'
import { keepCommand, logOf } from './undo/operations/keep-command.ts'
import {
  type CallContext,
  isPublic,
  LateAnswer,
  LateRead,
  type ReadUseCase,
  StreamPart,
  type Turns,
  type UseCase,
} from './use-case.ts'

/** Wraps every call once: tracing, timing. Must return what `run` returns. */
export type Trace = <T>(useCase: string, run: () => Promise<T>) => Promise<T>

/**
 * A use case made callable: parses the input, opens the transaction, asks the guard, runs. Nothing
 * else wraps a use case, whichever surface it is called from.
 */
export type Call = (actor: Actor, input: unknown, options?: CallOptions) => Promise<unknown>

/** The ports that every call draws upon, whatever the use case itself needs. */
type CorePorts = Pick<
  Ports,
  'store' | 'clock' | 'ids' | 'secrets' | 'settings' | 'thumbnails' | 'plans'
>

/** Makes the use case callable under its name with the given ports. */
export function toCall(
  name: string,
  useCase: UseCase,
  ports: CorePorts & Partial<Ports>,
  trace: Trace,
): Call {
  const needed = Object.fromEntries(
    (useCase.needs ?? []).map((port) => [port, ports[port as never]]),
  )
  const run = useCase.kind === 'read' ? runRead : runWrite
  const giveWay = () => ports.store.giveWay()
  return (actor, input, options = {}) =>
    trace(name, async () => {
      requireCallOptions(options)
      const parsed = await parseInputInTurns(useCase.input, input ?? {}, giveWay)
      if ('issues' in parsed) throw invalid(parsed.issues.slice(0, limits.issuesNamed))
      const context = { ...needed, ...toContext(actor, options, ports) }
      return run(name, useCase as never, context, parsed.data, options, ports)
    })
}

function toContext(actor: Actor, options: CallOptions, ports: CorePorts): CallContext {
  const fileUrls = fileUrlsOf(actor, ports)
  return {
    ...(fileUrls && { fileUrls }),
    actor: actor ?? anonymous,
    origin: options.origin ?? {},
    ...(options.answerLength !== undefined && { answerLength: options.answerLength }),
    ...(options.mayEndSooner !== undefined && { mayEndSooner: options.mayEndSooner }),
    ...(options.ifMatch !== undefined && { ifMatch: options.ifMatch }),
    ...(options.windowId !== undefined && { windowId: options.windowId }),
    ...(options.signal !== undefined && { signal: options.signal }),
    ...(ports.settings.recordHistoryDays > 0 && { keepsHistory: true }),
    publicUrl: ports.settings.publicUrl,
    now: nowOf(ports.clock),
    ids: ports.ids,
    plans: ports.plans,
  }
}

/** The maker of file URLs for the caller. Callers who aren't signed in are shown no URLs of files. */
function fileUrlsOf(
  actor: Actor,
  { secrets, settings, clock, thumbnails }: CorePorts,
): FileUrls | undefined {
  if (!actor || actor.kind === 'anonymous' || actor.kind === 'share') return undefined
  const { userId } = actor
  const reader = actor.kind === 'token' ? { userId, tokenId: actor.tokenId } : { userId }
  return new FileUrls({ secrets, settings, thumbnails }, reader, clock.now())
}

function nowOf(clock: Clock): string {
  return toTimestamp(clock.now())
}

type Run<Kind> = (
  name: string,
  useCase: Extract<UseCase, { kind: Kind }>,
  context: CallContext,
  input: unknown,
  options: CallOptions,
  ports: CorePorts,
) => Promise<unknown>

/**
 * Refuses a caller who isn't there, or whose session or token has ended since the call began; undefined where that needs no
 * question.
 */
function requireCaller(
  tx: ReadTx,
  useCase: UseCase,
  { actor, now }: CallContext,
  { store, clock }: CorePorts,
): Promise<void> | undefined {
  const nowMs = clock.now()
  const isKnown = isPublic(useCase) || !isVouchedFor(actor)
  if (isKnown) return isLive(actor, nowMs) ? undefined : requireLiveCredential(tx, actor, nowMs)
  return requireKnownUser(tx, { store, now }, actor)
}

/**
 * Asks the guard, and whether the caller is there: the two ask at the same time, since each question takes a while where
 * the storage is asked over a network. What is wrong with the caller is said first.
 */
async function enter<Input>(
  tx: ReadTx,
  useCase: UseCase & { readonly access: Guard<Input, object> },
  context: CallContext,
  input: Input,
  ports: CorePorts,
): Promise<Passage<object>> {
  const checking = requireCaller(tx, useCase, context, ports)
  const entering = useCase.access.enter(tx, context.actor, input)
  if (!checking) return entering
  // Neither may go on to ask once the transaction has ended.
  const [checked, entered] = await Promise.allSettled([checking, entering])
  if (checked.status === 'rejected') throw checked.reason
  if (entered.status === 'rejected') throw entered.reason
  return entered.value
}

/** How a use case reads on what its guard found. */
interface ReadOn {
  readonly ifMatch: readonly number[] | undefined
  /** Whether it may read while the guard asks. */
  readonly mayReadAhead: boolean
  read(scope: object): Promise<unknown>
}

/** Thrown where what was read ahead may have failed, or have failed the guard, because the guard finds something else than lately. */
class FoundOtherwise extends Error {
  constructor(cause: unknown) {
    super('The guard may find something else than it did lately', { cause })
  }
}

/**
 * Asks the guard, then reads on what it found. Where the storage is asked over a network, and it is known what the guard will
 * most likely find, it reads while the guard asks, to save a wait: nobody hears of it before the guard has let the caller in.
 * Where the guard found something else, it reads once more.
 */
async function enterAndRead<Input>(
  tx: ReadTx,
  useCase: ReadUseCase & { readonly access: Guard<Input, object> },
  context: CallContext,
  input: Input,
  ports: CorePorts,
  how: ReadOn,
): Promise<unknown> {
  const { access } = useCase
  const entering = enter(tx, useCase, context, input, ports)
  if (!access.lately || !tx.mayAskAhead) return readEntered(await entering, how)
  const { actor } = context
  const expected = expectedScopesOf(ports.store)
  // Without a snapshot, what was read could be of another state than what the guard found.
  const mayReadAhead = how.mayReadAhead && how.ifMatch === undefined && !useCase.needsNoSnapshot
  const scope = mayReadAhead ? expected.find(access, actor, input) : undefined
  // Neither may go on to ask once the transaction has ended.
  const [entered, ahead] = await Promise.allSettled([entering, scope && how.read(scope)])
  if (entered.status === 'rejected') {
    const { reason } = entered
    expected.forget(access, actor, input)
    // What was read ahead may have ended the transaction before the guard had asked all that it asks.
    throw scope && !(reason instanceof DomainError) ? new FoundOtherwise(reason) : reason
  }
  const { value: found } = entered
  expected.note(access, actor, input, found.scope)
  const isAsExpected = scope && access.lately.isSame(found.scope, scope)
  if (ahead.status === 'rejected') {
    if (isAsExpected) throw ahead.reason
    // Any other failure ends the transaction.
    if (!(ahead.reason instanceof DomainError)) throw new FoundOtherwise(ahead.reason)
  } else if (isAsExpected) return ahead.value
  return readEntered(found, how)
}

function readEntered(
  { scope, version }: Passage<object>,
  { ifMatch, read }: ReadOn,
): Promise<unknown> {
  requireMatch(ifMatch, version)
  return read(scope)
}

const runRead: Run<'read'> = async (_name, useCase, context, input, options, ports) => {
  type Work = (context: Parameters<typeof useCase.run>[0]) => Promise<unknown>
  const readOptions = {
    caller: ofContext(context),
    isLong: useCase.isLong?.(input) ?? false,
    lasts: useCase.endsAtLength ?? false,
    needsNoSnapshot: useCase.needsNoSnapshot ?? false,
  }
  const read = (work: Work, ifMatch?: readonly number[], mayReadAhead = true): Promise<unknown> =>
    ports.store
      .read(
        (tx) =>
          enterAndRead(tx, useCase, context, input, ports, {
            ...{ ifMatch, mayReadAhead },
            read: (scope) => work({ ...context, ...scope, tx }),
          }),
        readOptions,
      )
      .catch((error: unknown) => {
        if (error instanceof FoundOtherwise) return read(work, ifMatch, false)
        throw error
      })
  const result = await read((entered) => useCase.run(entered, input), options.ifMatch)
  if (result instanceof LateRead) return result.make(storeOf(ofContext(context), ports.store))
  return result instanceof StreamPart ? toTextStream(result, read) : result
}

/** A text as a stream that begins with the given part; further parts are read when the caller asks for them. */
function toTextStream<Context>(
  first: StreamPart<Context>,
  read: (work: (context: Context) => Promise<unknown>) => Promise<unknown>,
): TextStream {
  async function* parts(): AsyncGenerator<string> {
    for (let part = first; ; ) {
      for (const piece of part.pieces) if (piece !== '') yield piece
      const { goOn } = part
      if (!goOn) return
      part = (await read(goOn)) as StreamPart<Context>
    }
  }
  return new TextStream(first, parts())
}

function ofContext({ actor, origin }: CallContext): string {
  return callerOf(actor, origin.address)
}

const runWrite: Run<'write'> = async (name, useCase, context, input, options, ports) => {
  const { idempotencyKey: key } = options
  const { actor } = context
  const turn = { caller: ofContext(context) }
  const enterWith = (tx: WriteTx) => enter(tx, useCase, context, input, ports)
  const answers = useCase.answers ?? (useCase.output === noOutput ? 'receipt' : 'content')
  const once =
    key === undefined
      ? undefined
      : await toRepeatable(
          { name, actor, key, origin: context.origin, input, answers, enter: enterWith },
          ports,
        )
  if (useCase.prepare && (once || options.ifMatch)) {
    // What is prepared may work once only: a code that is used up, a mail that is sent.
    const kept = await ports.store.write(async (tx) => {
      const kept = once && (await findAnswer(tx, once, ports))
      if (!kept && options.ifMatch) requireMatch(options.ifMatch, (await enterWith(tx)).version)
      return kept
    }, turn)
    if (kept) return kept.answer
  }
  const inTurn = () => ({ ...context, store: storeOf(turn.caller, ports.store) })
  const prepared = useCase.prepare && (await useCase.prepare(inTurn(), input))
  type Entered = Parameters<typeof useCase.run>[0]
  let afterwards: (() => unknown)[] = []
  let isRepetition = false
  const afterCommit = (work: () => unknown) => void afterwards.push(work)
  const write = (run: (entered: Entered) => Promise<unknown>) => {
    const work = async (tx: WriteTx) => {
      isRepetition = false
      const { scope, version } = await enterWith(tx)
      if (!useCase.matchesEach) requireMatch(options.ifMatch, version)
      const undo = logOf(context)
      const result = await run({ ...context, ...scope, undo, tx, prepared, afterCommit })
      if (undo) await keepCommand(tx, context, undo, scope)
      return result
    }
    return ports.store.write((tx) => {
      // A transaction may be begun a second time, and by then another call with the key may have been answered.
      afterwards = []
      isRepetition = once !== undefined
      // What is kept of an answer is kept in the same transaction.
      return once ? callOnce(tx, once, ports, async () => made(await work(tx), tx)) : work(tx)
    }, turn)
  }
  const { answerRefusal } = useCase
  const written = write((entered) => useCase.run(entered, input)).catch((error: unknown) => {
    if (!answerRefusal || !(error instanceof DomainError)) throw error
    return write((entered) => answerRefusal(entered, error))
  })
  const result = await written.catch(async (error: unknown) => {
    if (changedNothing(error)) await useCase.abandon?.(inTurn(), prepared)
    throw error
  })
  if (isRepetition) await useCase.abandon?.(inTurn(), prepared)
  for (const work of afterwards) await work()
  if (result instanceof DomainError) throw result
  return made(result, ports.store)
}

/** The result; a late answer is built here. */
function made(result: unknown, turns: Turns): unknown {
  return result instanceof LateAnswer ? result.make(turns) : result
}
