import { storeOf } from '../access/caller-of.ts'
import { expectedScopesOf } from '../access/expected-scopes.ts'
import type { Passage } from '../access/guard.ts'
import { TextStream } from '../answers/text-stream.ts'
import { DomainError } from '../errors.ts'
import { requireMatch } from '../input/require-match.ts'
import type { ReadTx } from '../store.ts'
import { LateRead, StreamPart, type UseCase } from '../use-case.ts'
import { enterCall } from './enter-call.ts'
import { type StartedCall, turnOf } from './started-call.ts'

type ReadCall = StartedCall<Extract<UseCase, { kind: 'read' }>>

/** Runs a use case that reads, on one snapshot; a stream of text reads each part on a snapshot of its own. */
export async function runRead(call: ReadCall): Promise<unknown> {
  const { useCase, context, input, options, ports } = call
  type Work = (context: Parameters<typeof useCase.run>[0]) => Promise<unknown>
  const readOptions = {
    caller: turnOf(call),
    isLong: useCase.isLong?.(input) ?? false,
    lasts: useCase.endsAtLength ?? false,
    needsNoSnapshot: useCase.needsNoSnapshot ?? false,
  }
  const read = (work: Work, ifMatch?: readonly number[], mayReadAhead = true): Promise<unknown> =>
    ports.store
      .read(
        (tx) =>
          enterAndRead(tx, call, {
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
  if (result instanceof LateRead) return result.make(storeOf(turnOf(call), ports.store))
  return result instanceof StreamPart ? toTextStream(result, read) : result
}

/** How a use case reads once its guard has found the scope. */
interface ReadOn {
  readonly ifMatch: readonly number[] | undefined
  /** Whether it may read before the guard has answered. */
  readonly mayReadAhead: boolean
  read(scope: object): Promise<unknown>
}

/**
 * Thrown where a read ahead failed, or made the guard fail, and the guard may find another scope than last time: then
 * the failure may come of the expected scope alone, and the call reads once more without reading ahead.
 */
class FoundOtherwise extends Error {
  constructor(cause: unknown) {
    super('The guard may find something else than it did lately', { cause })
  }
}

/**
 * Asks the guard, then reads with the scope that it found. Where the storage is asked over a network, and the guard will most
 * likely find the same scope as last time, the read is sent together with the guard's questions, which saves a wait.
 * Its result is returned only after the guard has let the caller in and has found that scope; else it reads again.
 */
async function enterAndRead(tx: ReadTx, call: ReadCall, how: ReadOn): Promise<unknown> {
  const { useCase, context, input, ports } = call
  const { access } = useCase
  const entering = enterCall(tx, call)
  if (!access.lately || !tx.mayAskAhead) return readEntered(await entering, how)
  const { actor } = context
  const expected = expectedScopesOf(ports.store)
  // Without a snapshot, what was read could be of another state than what the guard found.
  const mayReadAhead = how.mayReadAhead && how.ifMatch === undefined && !useCase.needsNoSnapshot
  const scope = mayReadAhead ? expected.find(access, actor, input) : undefined
  // Both are waited for: no question may be sent once the transaction has ended.
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
