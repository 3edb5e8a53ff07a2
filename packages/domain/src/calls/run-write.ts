import { storeOf } from '../access/caller-of.ts'
import { credentialState } from '../access/live-credentials.ts'
import { noOutput } from '../answers/no-output.ts'
import { changedNothing, DomainError } from '../errors.ts'
import {
  callOnce,
  findAnswer,
  type RepeatableCall,
  toRepeatable,
} from '../idempotency/call-once.ts'
import { requireMatch } from '../input/require-match.ts'
import type { WriteTx } from '../store.ts'
import { keepCommand, logOf } from '../undo/operations/keep-command.ts'
import { LateAnswer, type Turns, type UseCase } from '../use-case.ts'
import { enterCall } from './enter-call.ts'
import { RoleChanged, requireSameRole } from './same-role.ts'
import { type StartedCall, turnOf } from './started-call.ts'

type WriteCall = StartedCall<Extract<UseCase, { kind: 'write' }>>

/** What the `Idempotency-Key` of a call needs; undefined for a call without one. */
type Once = RepeatableCall | undefined

/** What the transaction of a call came to. */
interface Written {
  readonly result: unknown
  /** Whether the result is the kept answer of an earlier call with the same `Idempotency-Key`. */
  readonly isRepetition: boolean
  /** What the use case left to do until its changes are durable. */
  readonly afterwards: readonly (() => unknown)[]
}

/** Runs a use case that writes: prepares, then changes everything in one transaction, once per `Idempotency-Key`. */
export async function runWrite(call: WriteCall): Promise<unknown> {
  const { useCase, input, options, ports } = call
  const once = await toOnce(call)
  if (useCase.prepare && (once || options.ifMatch)) {
    // What is prepared may work once only: a code that is used up, a mail that is sent.
    const kept = await findKept(call, once)
    if (kept) return kept.answer
  }
  const prepared = useCase.prepare && (await useCase.prepare(withStore(call), input))
  const { answerRefusal } = useCase
  const giveUp = async () => useCase.abandon?.(withStore(call), prepared)
  const writing = write(call, once, prepared, (entered) => useCase.run(entered, input))
  const answering = writing.catch((error: unknown) => {
    if (!answerRefusal || !(error instanceof DomainError)) throw error
    return write(call, once, prepared, (entered) => answerRefusal(entered, error))
  })
  const { result, isRepetition, afterwards } = await answering.catch(async (error: unknown) => {
    if (changedNothing(error)) await giveUp()
    throw error
  })
  if (isRepetition) await giveUp()
  for (const work of afterwards) await work()
  if (result instanceof DomainError) throw result
  return made(result, ports.store)
}

async function toOnce(call: WriteCall): Promise<Once> {
  const { name, useCase, context, input, options, ports } = call
  const { idempotencyKey: key } = options
  if (key === undefined) return undefined
  const answers = useCase.answers ?? (useCase.output === noOutput ? 'receipt' : 'content')
  const { actor, origin } = context
  const enter = (tx: WriteTx) => enterCall(tx, call)
  return toRepeatable({ name, actor, key, origin, input, answers, enter }, ports)
}

/** The kept answer of an earlier call with the key. Where there is none, `ifMatch` is compared. */
function findKept(call: WriteCall, once: Once): ReturnType<typeof findAnswer> {
  const { context, options, ports } = call
  const lookUpAgain = credentialState(context.actor)
  return ports.store.write(
    async (tx) => {
      lookUpAgain()
      const kept = once && (await findAnswer(tx, once, ports))
      if (!kept && options.ifMatch)
        requireMatch(options.ifMatch, (await enterCall(tx, call)).version)
      return kept
    },
    { caller: turnOf(call) },
  )
}

/** The context of what happens outside of the transaction, with a store in which it waits for the caller's turns. */
function withStore(call: WriteCall) {
  return { ...call.context, store: storeOf(turnOf(call), call.ports.store) }
}

/** Runs the work in one transaction, behind the guard. A storage may begin it again: each attempt starts anew. */
function write(
  call: WriteCall,
  once: Once,
  prepared: unknown,
  run: (entered: Parameters<WriteCall['useCase']['run']>[0]) => Promise<unknown>,
): Promise<Written> {
  const { useCase, context, options, ports } = call
  const lookUpAgain = credentialState(context.actor)
  const attempt = async (tx: WriteTx): Promise<Written> => {
    lookUpAgain()
    const afterwards: (() => unknown)[] = []
    const afterCommit = (work: () => unknown) => void afterwards.push(work)
    let isRepetition = true
    const work = async () => {
      isRepetition = false
      const { scope, version } = await enterCall(tx, call)
      if (!useCase.matchesEach) requireMatch(options.ifMatch, version)
      await requireSameRole(tx, context.actor, scope)
      const undo = logOf(context)
      const keepsAnswer = once !== undefined
      const result = await run({
        ...context,
        ...scope,
        undo,
        tx,
        prepared,
        keepsAnswer,
        afterCommit,
      })
      if (undo) await keepCommand(tx, context, undo, scope)
      return result
    }
    // The answer of a call with a key is kept in the same transaction, so a late answer is made before the commit.
    const result = once
      ? await callOnce(tx, once, ports, async () => made(await work(), tx))
      : await work()
    return { result, isRepetition, afterwards }
  }
  const begin = () => ports.store.write(attempt, { caller: turnOf(call) })
  return begin().catch((error: unknown) => {
    // The guard says what the caller may do by now, and refuses what they may not.
    if (error instanceof RoleChanged) return begin()
    throw error
  })
}

/** The result; a late answer is built here. */
function made(result: unknown, turns: Turns): unknown {
  return result instanceof LateAnswer ? result.make(turns) : result
}
