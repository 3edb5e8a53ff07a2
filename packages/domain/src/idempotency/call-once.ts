import type { Actor } from '../access/actor.ts'
import { toTimestamp } from '../clock.ts'
import { DomainError, invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Ports } from '../ports.ts'
import type { WriteTx } from '../store.ts'
import type { AnswerKind, Origin } from '../use-case.ts'
import { toAddressBlock } from '../values/address-block.ts'
import { lengthUpTo } from '../values/json/json-bytes.ts'
import { jsonPieces } from '../values/json/json-pieces.ts'
import type { KeptAnswer } from './answer-repository.ts'

/** A call that came with a key. */
interface KeyedCall {
  readonly name: string
  readonly actor: Actor
  readonly key: string
  /** Where it came from. */
  readonly origin: Origin
  /** The parsed input, as JSON can hold it. */
  readonly input: unknown
  readonly answers: AnswerKind
  /** Lets the caller pass as the use case's guard does, or refuses. */
  readonly enter: (tx: WriteTx) => Promise<unknown>
}

/** A call that its caller may repeat without repeating its effect. */
export interface RepeatableCall extends Omit<KeyedCall, 'key' | 'input' | 'origin'> {
  /** Tells the key, and who sent it, from all others. */
  readonly keyHash: string
  /** Tells the input from others; it is kept sealed, since it may come of a password, which could be guessed by it. */
  readonly inputDigest: string
}

const hourMs = 3_600_000

/** Pieces of JSON, of a few items each, after which others may have their turn. */
const piecesPerTurn = 8

/**
 * The call as it is looked for. To be made before the transaction, which may be begun a second time, and which
 * other writers wait for: a long input takes a while. Throws validation_error for a key that can't be one.
 */
export async function toRepeatable(
  { key, input, origin, ...call }: KeyedCall,
  { secrets, store }: Pick<Ports, 'secrets' | 'store'>,
): Promise<RepeatableCall> {
  requireLegalKey(key)
  const { name, actor, answers } = call
  const digester = secrets.digester()
  let pieces = 0
  // Of a call that answers a secret no input is compared: whether it was the same would tell who guesses a
  // password that they are right.
  for (const piece of jsonPieces(answers === 'secret' ? null : input)) {
    digester.add(piece)
    pieces++
    if (pieces % piecesPerTurn === 0) await store.giveWay()
  }
  return {
    ...call,
    keyHash: secrets.digest(JSON.stringify([callerOf(actor, input, origin), name, key])),
    inputDigest: digester.end(),
  }
}

/**
 * Runs the work, or answers what it answered when the same caller made the same call with the same key
 * in the last 24 hours. The answer is kept in the transaction of the work itself, so that one is never
 * durable without the other. A refused call keeps nothing: it may be repeated.
 */
export async function callOnce<T>(
  tx: WriteTx,
  call: RepeatableCall,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  const { secrets, clock } = ports
  const kept = await findAnswer(tx, call, ports)
  if (kept) return kept.answer as T
  const answer = await work()
  if (!(answer instanceof DomainError)) {
    const now = clock.now()
    const sealedAnswer = secrets.seal(await toKeptText(tx, call, answer))
    const expiresTime = toTimestamp(now + limits.idempotencyHours * hourMs)
    const sealedInput = secrets.seal(call.inputDigest)
    await tx.answers.save({ keyHash: call.keyHash, sealedInput, sealedAnswer, expiresTime })
  }
  return answer
}

/**
 * What the call answered the first time; undefined when this is the first time. Content is for those
 * alone who pass the guard now. The same key with another input is refused with `unprocessable_entity`,
 * the repetition of a call whose answer was not kept with `conflict`.
 */
export async function findAnswer(
  tx: WriteTx,
  call: RepeatableCall,
  { secrets, clock }: Pick<Ports, 'secrets' | 'clock'>,
): Promise<{ readonly answer?: unknown } | undefined> {
  const kept = await tx.answers.find(call.keyHash)
  if (!kept || kept.expiresTime <= toTimestamp(clock.now())) return undefined
  if (!isOfInput(secrets, kept, call.inputDigest)) {
    throw new DomainError(
      'unprocessable_entity',
      'This Idempotency-Key was used for a different request before: use a new key for each new request',
    )
  }
  if (call.answers === 'secret') {
    throw notKept('is secret and was not kept. Use a new key to make the call again')
  }
  if (call.answers === 'content') await call.enter(tx)
  const text = secrets.unseal(kept.sealedAnswer)
  if (text === tooLarge) throw notKept('was too large to be kept. Read what the call changed')
  return text === undefined ? undefined : JSON.parse(text)
}

/** Whether the answer is one to the input. Versions that signed inputs kept them for a day, as all answers are. */
function isOfInput(
  secrets: Pick<Ports['secrets'], 'sign' | 'unseal'>,
  { sealedInput }: Pick<KeptAnswer, 'sealedInput'>,
  inputDigest: string,
): boolean {
  return (
    secrets.unseal(sealedInput) === inputDigest ||
    sealedInput === secrets.sign(JSON.stringify(['input', inputDigest]))
  )
}

function notKept(why: string): DomainError {
  return new DomainError(
    'conflict',
    `This Idempotency-Key was used before: the call was made, but its answer ${why}`,
  )
}

/** What is kept of an answer that is too large. */
const tooLarge = '{"isTooLarge":true}'

/** The text that is kept; nothing of a secret in it. */
async function toKeptText(tx: WriteTx, { answers }: RepeatableCall, answer: unknown) {
  const kept = answers === 'secret' ? {} : { answer }
  // Nothing is written of what is known to be too long: writers wait meanwhile.
  if (lengthUpTo(limits.keptAnswerLength, kept) > limits.keptAnswerLength) return tooLarge
  const pieces: string[] = []
  let length = 0
  for (const piece of jsonPieces(kept)) {
    pieces.push(piece)
    length += piece.length
    if (length > limits.keptAnswerLength) return tooLarge
    if (pieces.length % piecesPerTurn === 0) await tx.giveWay()
  }
  return pieces.join('')
}

/**
 * A session, or a token with what it may do now, not its user: what one of them may see, another one may
 * not, nor the same token once its scopes were changed. Who has no user is told from others by the share that the call
 * names, and by where it came from.
 */
function callerOf(actor: Actor, input: unknown, origin: Origin): readonly unknown[] {
  if (actor.kind === 'share' && actor.user) {
    return [actor.kind, ...callerOf(actor.user, input, origin)]
  }
  if (actor.kind === 'anonymous' || actor.kind === 'share') {
    const { shareId } = (input ?? {}) as { readonly shareId?: unknown }
    const from = origin.address === undefined ? '' : toAddressBlock(origin.address)
    return [actor.kind, shareId ?? '', from]
  }
  if (actor.kind === 'user') return [actor.kind, actor.userId, actor.sessionId ?? '']
  return [actor.kind, actor.userId, actor.tokenId, [...actor.scopes].toSorted()]
}

function requireLegalKey(key: string): void {
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > limits.idempotencyKeyLength) {
    throw invalidAt(
      ['Idempotency-Key'],
      `must be 1 to ${limits.idempotencyKeyLength} visible ASCII characters without spaces`,
    )
  }
}
